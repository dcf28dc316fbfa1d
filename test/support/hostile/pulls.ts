import type { FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import { added, filled, harmless, MEGABYTE, times } from './files.ts'

type Pull = Omit<FakePull, 'number'>

const BEGIN_PUBLIC = 'Abc: -----BEGIN ABC-----'
const BEGIN_KEY = '-----BEGIN PRIVATE KEY-----'
const PUBLIC_BLOCKS = [...Array(19_500).fill(BEGIN_PUBLIC), BEGIN_KEY]
const DESCRIPTION = 65_000
const CODE = 'src/app.ts'

function described(text: string): Pull {
  return { body: text.slice(0, DESCRIPTION), files: [added(CODE, ['const a = 1'])] }
}

function repeated(text: string, length = DESCRIPTION): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** `length` characters from the `count` code points that start at `first`, in an order that takes long to repeat. */
function scattered(length: number, first: number, count: number): string {
  return times(length, (i) => String.fromCodePoint(first + ((i * i * 31 + i * 7) % count))).join('')
}

function committed(count: number, message: string): Pull {
  return {
    body: null,
    commits: times(count, () => ({ message, author: 'a' })),
    files: [added(CODE, ['const a = 1'])],
  }
}

function oneLine(text: string, length = 900_000): Pull {
  return { files: [added(CODE, [repeated(text, length)])] }
}

function lines(text: string, path = CODE): Pull {
  return { files: [filled(path, text)] }
}

/** Pull requests that are slow to process. Created lazily, because together they would fill the memory. */
export const hostilePulls: Record<string, () => Pull> = {
  'public blocks, then a private key': () => ({ files: [added(CODE, PUBLIC_BLOCKS)] }),
  'the same in a description': () => described(PUBLIC_BLOCKS.slice(-2600).join('\n')),
  'the same in commit messages': () => committed(5, PUBLIC_BLOCKS.slice(-2600).join('\n')),
  'a long key name, then brackets': () => oneLine(`${repeated('key', 1000)}='${repeated('(', 1000)}`, 250_000),
  'token prefixes in paths': () => ({
    files: times(1000, (i) => added(`${repeated('eyJ-', 2000)}${i}.ts`, ['const a = 1'])),
  }),
  'harmless paths of 4,000 characters': () => ({
    files: times(3000, (i) => added(`${repeated('folder/', 3990)}${i}.ts`, ['const a = 1'])),
  }),
  'ten files of one-character lines': () => ({ files: times(10, (i) => filled(`src/file${i}.ts`, 'a', 960_000)) }),
  'lines of dashes': () => lines(repeated('-', 398), 'docs/page.rst'),
  'lines of closing brackets': () => lines(`it(${repeated(')', 390)}`, 'test/app.test.ts'),
  'a harmless diff of 10 MB': () => ({ files: harmless(9.9 * MEGABYTE) }),
  'one line of letters': () => oneLine('a'),
  'one line of spaces': () => oneLine(' '),
  'one line of brackets': () => oneLine('('),
  'one line of quotes': () => oneLine('"'),
  'one line of digits and letters': () => oneLine('a1B2'),
  'private keys without an end': () => lines(BEGIN_KEY),
  'private keys without a start': () => lines('-----END PRIVATE KEY-----'),
  'private key markers in one line': () => oneLine(`${BEGIN_KEY} `),
  'lines of base64': () => lines(repeated('aB3dE5gH7jK9', 64)),
  'short lines of base64': () => lines('aB3='),
  'passwords in one line': () => oneLine('password='),
  'names of secrets': () => oneLine('secret_token_key_'),
  'URLs in one line': () => oneLine('://'),
  'URLs with user names': () => oneLine('://a:'),
  'curl in one line': () => oneLine('curl -u a '),
  'JSON web tokens in one line': () => oneLine('eyJhbGciOiJ.'),
  'random strings': () => ({
    files: [
      added(
        CODE,
        times(20_000, (i) => `const token${i} = "q7Zk2Xw9Vb${(i * 7919) % 99_991}Lp4Rt8Ys1Mn6"`),
      ),
    ],
  }),
  'secrets with a common prefix': () => ({
    files: [
      added(
        CODE,
        times(20_000, (i) => `password = "q7Zk2Xw9Vb4L${'x9'.repeat(i % 150)}${i}"`),
      ),
    ],
  }),
  'invisible characters': () => oneLine('\u200b', 300_000),
  'joined emoji': () => oneLine('👩‍👩‍👧‍👦', 300_000),
  'text without spaces': () => oneLine('漢字かな交じり文', 300_000),
  'hunk headers': () => ({ files: [added(CODE, Array(60_000).fill('@@ -1 +1 @@'))] }),
  'file headers': () => ({ files: [added(CODE, Array(60_000).fill('diff --git a/x b/x'))] }),
  'lines of modifiers': () => lines(repeated('export default ', 399)),
  'chained test names': () => lines(`describe${repeated('.x', 380)}(`, 'test/app.test.ts'),
  'unfinished types': () => lines(`const a${repeated(' ', 100)}:${repeated(':', 280)}`),
  'comments without a TODO': () => lines(repeated('// ', 990)),
  'underlined titles': () => lines('====', 'docs/page.rst'),
  'unclosed HTML comments': () => described(repeated('<!--')),
  'brackets in a description': () => described(repeated('[')),
  'links in a description': () => described(repeated('[a](')),
  'rows of backticks in a description': () => described(times(300, (i) => '`'.repeat(i)).join('x')),
  'tags in a description': () => described(repeated('<a ')),
  'quotes in a description': () => described(repeated('> ')),
  'entities in a description': () => described(repeated('&lt;')),
  'email addresses in a description': () => described(repeated('a@a.')),
  'emphasis marks in a description': () => described(repeated('*a_')),
  'headings in a description': () => described(repeated('a\n=\n')),
  'lists in a description': () => described(times(250, (i) => `${' '.repeat(2 * i)}- a`).join('\n')),
  'quotations in a description': () => described(repeated('> a\n')),
  'reference definitions in a description': () => described(repeated('[a]: b\n')),
  'emphasis marks in commit messages': () =>
    committed(250, `BREAKING CHANGE: ${repeated('*a_', 2000)}\n\n${repeated('*a_')}`),
  'emphasis marks in commit subjects': () => committed(250, repeated('*a_')),
  'long commit messages': () => committed(250, repeated(`${'word '.repeat(12)}\n`, 60_000)),
  'many comments': () => ({
    files: [added(CODE, ['const a = 1'])],
    comments: times(4900, (i) => ({ author: 'a', body: `${i} ${repeated('word ', 900)}`, at: '2026-01-01T00:00:00Z' })),
  }),
  'long comments': () => ({
    files: [added(CODE, ['const a = 1'])],
    comments: times(90, () => ({ author: 'a', body: repeated('<!-- -', 60_000), at: '2026-01-01T00:00:00Z' })),
  }),
  'slashes that may be comments or base64': () => lines(`${repeated('/', 80)}${repeated('A', 9000)}!`),
  'values that contain names of secrets': () => lines(repeated('token=aB3', 290)),
  'many tokens per line': () => lines(repeated(`ghp_${repeated('aB3dE6gH9', 36)} `, 4100)),
  'a periodic secret': () => ({
    files: [
      added(
        CODE,
        times(9000, (i) => `token = "${repeated('aB3dE6gH9kL2', 60 + (i % 400)).slice(i % 12)}"`),
      ),
      added('src/other.ts', [repeated('aB3dE6gH9kL2', 400_000)]),
    ],
  }),
  'headings of tabs': () => lines(`#${repeated('\t', 390)}`, 'docs/page.md'),
  'a line of email addresses': () => oneLine('a.1@1.1.'),
  'punctuation after a URL': () => ({ files: [added(CODE, [`www.${repeated('!', 900_000)}a`])] }),
  'random syllables': () => lines(scattered(199, 0x3041, 85)),
  'control characters': () => lines(scattered(390, 1, 8)),
  'random emoji': () => ({
    files: [added(CODE, ['const a = 1'])],
    comments: times(60, () => ({ author: 'a', body: scattered(30_000, 0x1f300, 800), at: '2026-01-01T00:00:00Z' })),
  }),
  'commit messages that the description almost contains': () => ({
    ...committed(100, `s\n\n${repeated('a', 30_000)}b${repeated('a', 30_000)}`),
    body: repeated('a', DESCRIPTION),
  }),
  'combined marks in a title': () => ({
    title: `a${repeated('\u0301', 990)}`,
    files: [added(CODE, ['const a = 1'])],
  }),
  'a title of backticks': () => ({ title: repeated('`a', 990), files: [added(CODE, ['const a = 1'])] }),
}

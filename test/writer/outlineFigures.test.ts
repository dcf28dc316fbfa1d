import { expect, test } from 'vitest'
import { codeIn, patchOf } from '../support/outlines.ts'
import { plantedSecrets } from '../support/plantedSecrets.ts'
import { changed } from '../support/pulls.ts'
import { outlined } from '../support/writing.ts'

type Side = ReturnType<typeof codeIn>[number]['after']

function textOf(side: Side | undefined): string[] {
  return side?.lines.map(({ text }) => text) ?? []
}

test('shows replaced lines before and after the change, each with the context lines of the diff', async () => {
  const lines = [' a {', ' \tb(', '-\t\told,', '-\t\tolder,', '+\t\tnew,', ' \t)', ' }', ' c']
  const outline = await outlined({ files: [changed('src/a.ts', { patch: patchOf(lines) })] })
  expect(outline.mainChanges[0]?.figures).toMatchObject([
    {
      kind: 'code',
      before: { path: 'src/a.ts', ranges: [{ startLine: 10, endLine: 15 }] },
      after: { path: 'src/a.ts', ranges: [{ startLine: 10, endLine: 14 }] },
    },
  ])
  const [figure] = codeIn(outline)
  expect(textOf(figure?.before)).toEqual(['a {', '\tb(', '\t\told,', '\t\tolder,', '\t)', '}'])
  expect(textOf(figure?.after)).toEqual(['a {', '\tb(', '\t\tnew,', '\t)', '}'])
  expect(figure?.after?.lines[2]).toEqual({ number: 12, text: '\t\tnew,' })
  expect(figure?.after?.url).toMatch(/#diff-.+R10-R14$/)
})

test('shows at most 14 lines of new code, from its first definition on, and no old side', async () => {
  const imports = Array.from({ length: 8 }, (_, i) => `+import ${i}`)
  const body = Array.from({ length: 20 }, (_, i) => `+  step(${i})`)
  const lines = [...imports, '+', '+/** Runs. */', '+export function run() {', ...body, '+}']
  const patch = ['@@ -0,0 +1,32 @@', ...lines].join('\n')
  const [figure] = codeIn(
    await outlined({ files: [changed('src/run.ts', { patch, status: 'added', additions: 32, deletions: 0 })] }),
  )
  expect(figure?.before).toBeNull()
  expect(figure?.after?.lines).toHaveLength(14)
  expect(figure?.after?.lines[0]).toEqual({ number: 10, text: '/** Runs. */' })
})

test('shows the two biggest hunks of the most important file and one hunk of each of the next two files', async () => {
  const hunk = (at: number, text: string) => `@@ -${at} +${at} @@ class Box {\n-  old ${text}\n+  new ${text}`
  const files = ['a', 'b', 'c', 'd'].map((name) =>
    changed(`src/${name}.ts`, { patch: [1, 50, 90].map((at) => hunk(at, `${name}${at}`)).join('\n') }),
  )
  const { mainChanges } = await outlined({ files })
  expect(mainChanges.map(({ figures }) => figures.length)).toEqual([2, 1, 1, 0])
  expect(mainChanges[0]?.figures[0]).toMatchObject({ caption: '`Box`' })
})

test('masks secrets in figures before it cuts lines, and writes out invisible characters', async () => {
  const secret = plantedSecrets.find(({ text }) => text.includes('\n'))?.text ?? ''
  const key = secret.split('\n')
  const long = `const z = '${'z'.repeat(500)}'`
  const lines = [
    '+function load() {',
    '+  a\u202eb',
    `+  ${long}`,
    ...key.map((line) => `+${line}`),
    ...Array(20).fill('+  x'),
  ]
  const patch = [`@@ -0,0 +1,${lines.length} @@`, ...lines].join('\n')
  const [figure] = codeIn(await outlined({ files: [changed('src/a.ts', { patch, status: 'added' })] }))
  const text = textOf(figure?.after)
  expect(text.slice(0, 2)).toEqual(['function load() {', '  a⟨U+202E⟩b'])
  expect(text[2]).toHaveLength(400)
  expect(text[3]).toMatch(/^\[masked secret 1: /)
  for (const line of key.filter(({ length }) => length > 7)) expect(text.join('\n')).not.toContain(line)
})

test('claims a change type only if the diff shows it', async () => {
  const addition = {
    patch: patchOf([' a', ...Array(9).fill('+  x'), '+export function b() {']),
    additions: 10,
    deletions: 0,
  }
  const files = [
    changed('src/changed.ts'),
    changed('src/extended.ts', addition),
    changed('src/new.ts', { status: 'added' }),
    { filename: 'src/to.ts', previous_filename: 'src/from.ts', status: 'renamed' },
  ]
  const { mainChanges } = await outlined({ title: 'Something', files })
  const typeOf = (path: string) => mainChanges.find(({ fileName }) => fileName === path)?.changeTypes
  expect(files.map(({ filename }) => typeOf(filename))).toEqual([['CHORE'], ['FEAT'], ['FEAT'], ['REFACTOR']])
})

test('says in headings what happened to each file', async () => {
  const files = [
    changed('src/run.ts', { patch: patchOf(['-function walk() {', '+function run() {', '+function rest() {']) }),
    changed('src/a/index.ts', { status: 'removed' }),
    changed('src/b/index.ts'),
    { filename: 'lib/x.ts', previous_filename: 'src/x.ts', status: 'renamed' },
    changed('test/run.test.ts', { patch: patchOf([" describe('run', () => {", "+  it('runs', () => {"]) }),
    changed('docs/run.md', { patch: patchOf([' # Run', '+## Options', '+## Errors']) }),
    changed('package-lock.json'),
    changed('src/keywords.php', { patch: patchOf(['+foreach($a as $b) {', '+elseif($x) {', '+synchronized(this) {']) }),
    changed('src/calls.js', { patch: patchOf(['+$(document).ready(function() {', '+Describe("a", func() {']) }),
  ]
  const headings = async (language: string) => {
    const { mainChanges } = await outlined({ files }, language)
    return mainChanges.map(({ heading }) => heading)
  }
  expect(await headings('en')).toEqual([
    'Adds `run`, `rest`; removes `walk`',
    'Removes the source file `a/index.ts`',
    'Changes the source file `b/index.ts`',
    'Moves `x.ts` to `lib/`',
    'Changes the source file `keywords.php`',
    'Changes the source file `calls.js`',
    'Adds the test case `runs`',
    'Adds 2 sections to `run.md`',
  ])
  expect(await headings('ja')).toEqual([
    '`run`、`rest` を追加、`walk` を削除',
    'ソースファイル `a/index.ts` を削除',
    'ソースファイル `b/index.ts` を変更',
    '`x.ts` を `lib/` に移動',
    'ソースファイル `keywords.php` を変更',
    'ソースファイル `calls.js` を変更',
    'テストケース `runs` を追加',
    '`run.md` に見出しを2件追加',
  ])
})

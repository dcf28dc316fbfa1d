import { expect, test } from 'vitest'
import { WEB_URL } from '../../scripts/fakeHost/renderUser.ts'
import { changing, translated, written } from '../support/writing.ts'

const { origin, host } = new URL(WEB_URL)
const TEXT = 'The handler remembers what it has seen and does not count the same thing twice.'
const claimOf = (description: string) => ({
  heading: 'Counts once',
  fileName: 'src/app.ts',
  changeTypes: ['FIX'],
  description,
  basis: 'diff',
  figures: [],
  evidence: [{ path: 'src/app.ts', side: 'new', startLine: 1, endLine: 1 }],
})

/** Writes articles with these descriptions, five per article, and returns the descriptions that are stored. */
async function descriptionsOf(...given: string[]): Promise<string[]> {
  const stored: string[] = []
  for (let start = 0; start < given.length; start += 5) {
    const five = given.slice(start, start + 5)
    const always = changing(() => ({ mainChanges: [TEXT, ...five].map(claimOf) }))
    const { content } = await written({ always, language: 'en' })
    const [, ...descriptions] = content.mainChanges.map(({ description }) => description)
    expect(content.coverage.claimsDropped).toBe(five.length - descriptions.length)
    stored.push(...descriptions)
  }
  return stored
}

const refused = [
  `[x](${origin}\\\\@evil.example/)`,
  `[x](${origin}\\@evil.example/)`,
  `[x](${origin}&#92;@evil.example/)`,
  `[x](${origin}&bsol;&commat;evil.example/)`,
  `[x](<${origin}\\\\@evil.example/>)`,
  `<${origin}\\@evil.example/>`,
  `${origin}\\@evil.example/`,
  `${origin}&#64;evil.example/`,
  `[x](${origin}/\\\\evil.example/)`,
  `[x](${origin}&Tab;.evil.example/)`,
  `[x](https:/&Tab;/${host}/)`,
  `[x](${origin}&#10;.evil.example/)`,
  `[x](<${origin}/a b>)`,
  `[x](https://user@${host}/)`,
  `[x](https://:password@${host}/)`,
  `[x](${origin}./)`,
  `[x](${origin}:8443/)`,
  `[x](https://${host.replaceAll('.', '。')}/)`,
  `[x](${origin}/日本)`,
  `[x](${origin}/a"b)`,
  `[x](${origin}/a&amp;copy;b)`,
  `[x](//${host}/a)`,
  '[x](/a)',
  '「//evil.example/」',
  '_https://ev_il.ex_ample/',
  `${origin}。evil.example/`,
  `<${origin}/a>`,
  `${origin}/a`,
  `&#104;ttps://${host}\\\\@evil.example/`,
]

test('rejects links that a renderer could resolve to another host', async () => {
  expect(await descriptionsOf(...refused.map((link) => `${TEXT} ${link}`))).toEqual([])
})

/** Links as the model writes them, and as they are stored. */
const rewritten: [string, string][] = [
  [`[x](${origin}/a/b?c=1&d=%20#e)`, `[x](${origin}/a/b?c=1&d=%20#e)`],
  [`[x](${origin})`, `[x](${origin}/)`],
  [`[x](<${origin}/a> "title")`, `[x](${origin}/a "title")`],
  [`[x](HTTPS://${host.toUpperCase()}:443/a/../b/./c)`, `[x](${origin}/b/c)`],
  [`[x](https:${host}/a)`, `[x](${origin}/a)`],
  [`[x](https://%${Buffer.from(host).toString('hex', 0, 1)}${host.slice(1)}/a)`, `[x](${origin}/a)`],
  [`[x](${origin}/a&#64;b&amp;c)`, `[x](${origin}/a@b&c)`],
  [`[x](${origin}?@evil.example)`, `[x](${origin}/?@evil.example)`],
  [`\n\n1.\t*[x](${origin}/./a)*\n2.\t**[y](${origin}/./b)**`, `\n\n1.\t*[x](${origin}/a)*\n2.\t**[y](${origin}/b)**`],
]

test('stores links to the code host in normalized form', async () => {
  const stored = await descriptionsOf(...rewritten.map(([link]) => `${TEXT} ${link}`))
  expect(stored).toEqual(rewritten.map(([, expected]) => `${TEXT} ${expected}`))
})

test('checks the length limit after rewriting links', async () => {
  const link = ` [x](${origin})`
  const filled = `${TEXT} `.repeat(60).slice(0, 4000 - link.length)
  expect(await descriptionsOf(`${filled.slice(1)}${link}`)).toEqual([`${filled.slice(1)} [x](${origin}/)`])
  expect(await descriptionsOf(`${filled}${link}`)).toEqual([])
})

test('rejects and normalizes links in translations and in backgrounds, too', async () => {
  const saying = (link: string) =>
    changing((good) => {
      const linked = (key: string) => ({ [key]: `${good[key]} [x](${link})` })
      return { ...linked('reason1'), ...linked('section1_text'), ...linked('point1') }
    })
  const replies = [saying(`${origin}\\\\@evil.example/`), saying(`${origin}/a/../b`)]
  const { content } = await translated(await written(), 'en', { replies })
  const { backgroundAndPurpose, mainChanges, notablePoints, generator } = content
  expect(generator.calls).toBe(2)
  for (const text of [backgroundAndPurpose, mainChanges[0]?.description, notablePoints[0]?.point])
    expect(text).toMatch(new RegExp(`\\[x\\]\\(${origin}/b\\)$`))
})

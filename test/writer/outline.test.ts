import { expect, test } from 'vitest'
import { markdownErrors } from '../../src/writer/proof/checkMarkdown.ts'
import { codeIn, patchOf } from '../support/outlines.ts'
import { changed } from '../support/pulls.ts'
import { outlined } from '../support/writing.ts'

const source = [
  '@@ -10,4 +10,5 @@ export class Counter {',
  '   add(item) {',
  '-    this.count += 1',
  '+    // TODO: bound the set',
  '+    if (!this.seen.has(item)) this.count += 1',
  '   }',
].join('\n')
const pull = {
  title: 'fix(counter)!: count each item once',
  body: 'Items seen twice were counted twice.\n\nSee https://evil.example/issue for more. <script>x</script>',
  files: [
    { filename: 'src/counter.ts', patch: source, additions: 2, deletions: 1 },
    { filename: 'src/b.ts', previous_filename: 'src/a.ts', status: 'renamed', additions: 0, deletions: 0 },
    { filename: 'package-lock.json', patch: '@@ -1 +1 @@\n-a\n+b', additions: 1, deletions: 1 },
  ],
}

test('reports test snapshots as skipped, because an outline leaves them out', async () => {
  const snapshots = ['src/__snapshots__/a.snap', 'src/__snapshots__/b.snap'].map((path) => changed(path))
  const { coverage } = await outlined({ files: [changed('src/a.ts'), ...snapshots] }, 'ja')
  const skipped = { state: 'skipped', reason: 'snapshot' }
  expect(coverage.files).toMatchObject([{ state: 'read' }, skipped, skipped])
})

test('writes an outline from the diff without a model, in Japanese and English', async () => {
  const ja = await outlined(pull, 'ja')
  const en = await outlined(pull)
  expect(ja.generator).toMatchObject({ model: null, calls: 0, inputTokens: 0, outputTokens: 0 })
  expect(ja.aiGeneratedTitle).toBe('破壊的変更（counter）：count each item once')
  expect(en.aiGeneratedTitle).toBe('Breaking (counter): count each item once')
  expect(en.backgroundAndPurpose).toContain('“Items seen twice were counted twice.”')
  expect(JSON.stringify([ja, en])).not.toMatch(/evil\.example|<script/)
  expect(en.mainChanges[0]).toMatchObject({
    heading: 'Changes `add`',
    fileName: 'src/counter.ts',
    changeTypes: ['FIX'],
    basis: 'diff',
    evidence: [{ path: 'src/counter.ts', side: 'new', startLine: 11, endLine: 12 }],
  })
  expect(en.coverage.files).toMatchObject([{ state: 'read' }, { state: 'read' }, { reason: 'lockFile' }])
  expect(en.notablePoints.map(({ categories }) => categories)).toContainEqual(['RISK'])
  expect(en.notablePoints.map(({ importance }) => importance)).toEqual([1, 2, 3])
})

const HOSTILE = '`a` ``b`c`` [x](https://evil.example) <img src=x> *b* _i_ \u202e](javascript:x) # '
test.each(['ja', 'en'])('makes markup in titles, names and code harmless, in %s', async (language) => {
  const lines = [`+function a() { // ${HOSTILE}`, `+it('${HOSTILE}', () => {`, `+# ${HOSTILE}`]
  const paths = ['src/`a`](x).ts', 'test/<b>*.test.ts', `docs/${'`'.repeat(90)}.md`]
  const content = await outlined(
    {
      title: `feat(\`s](x)\`)!: ${HOSTILE.repeat(5)}`,
      body: `BREAKING CHANGE: ${HOSTILE}`,
      files: paths.map((path) => changed(path, { patch: patchOf(lines, HOSTILE) })),
    },
    language,
  )
  const { aiGeneratedTitle: title, lead, impact, backgroundAndPurpose, mainChanges, notablePoints } = content
  expect(title).not.toMatch(/[`<\u202e]|\]\(|evil/)
  expect(title.length).toBeLessThanOrEqual(80)
  expect(lead?.text.length).toBeLessThanOrEqual(language === 'ja' ? 220 : 480)
  for (const { heading } of mainChanges) expect(heading?.length).toBeLessThanOrEqual(language === 'ja' ? 60 : 130)
  const texts = [
    ...[lead?.text, impact?.affected, impact?.reason, impact?.action, backgroundAndPurpose].map((text) => text ?? ''),
    ...mainChanges.flatMap(({ heading, description }) => [heading ?? '', description]),
    ...codeIn(content).map(({ caption }) => caption),
    ...notablePoints.map(({ point }) => point),
  ]
  expect(texts.flatMap((text) => markdownErrors(text, 'https://host.example/a/b/pull/1'))).toEqual([])
  expect(JSON.stringify(texts)).not.toContain('evil.example')
})

test('quotes the sentences of a Markdown description, but no code blocks, tables or images', async () => {
  const body = [
    '## Why\n\nThe [old way](https://a.example/x_(y)) reads\n`row[i][j]` twice.',
    '> 引用は\n> 続く。\n\n```\nno prose\n```\n<!-- a\n\ntemplate -->\n- [ ] a box\n1. use row[i][j]\n\n   by **name**',
    '| a | table |\n|---|---|\n\n![image][1] [only links](https://a.example)\n\n[1]: https://a.example/image\n',
  ]
  const { backgroundAndPurpose } = await outlined({ ...pull, body: body.join('\n\n') })
  const [, ...quoted] = backgroundAndPurpose?.split('\n\n').slice(0, -1) ?? []
  expect(quoted).toEqual([
    '“The old way reads `row[i][j]` twice.”',
    '“引用は続く。”',
    '- “use row[i][j]”',
    '“by **name**”',
  ])
})

test('writes the same outline for the same pull request', async () => {
  const texts = await Promise.all(
    ['paper-1', 'paper-2'].map(async (name) => {
      const { aiGeneratedTitle, backgroundAndPurpose, mainChanges } = await outlined(pull, 'ja', { name })
      return JSON.stringify([aiGeneratedTitle, backgroundAndPurpose, mainChanges]).replaceAll(/https?:[^"]+/g, '')
    }),
  )
  expect(texts[0]).toBe(texts[1])
})

test('lists long paths up to the size limit and counts the remaining files', async () => {
  const files = Array.from({ length: 400 }, (_, i) => changed(`src/${i}/${'folder/'.repeat(500)}a.ts`))
  const content = await outlined({ files, diff: null }, 'ja')
  const { coverage } = content
  expect(JSON.stringify(content).length).toBeLessThan(600_000)
  expect(coverage.files.length).toBeGreaterThan(100)
  expect(coverage).toMatchObject({
    ...{ changedFiles: 400, read: coverage.files.length, partlyRead: 0, skipped: 0 },
    notListed: 400 - coverage.files.length,
  })
})

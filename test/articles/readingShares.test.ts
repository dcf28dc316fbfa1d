import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { type ModelRequest, promptOf } from '../support/fakeModel.ts'
import { added, changed } from '../support/pulls.ts'

/** The smallest budget that the service accepts. */
const service = await startWritingService({
  MODEL_TOKENS_PER_CALL: '8000',
  MODEL_CALLS_PER_ARTICLE: '12',
  MODEL_TOKENS_PER_ARTICLE: '200000',
})
afterAll(() => service.close())
const { model } = service
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')
const at = '2026-01-01T00:00:00Z'

/** Writes an article, and returns its Japanese text and the prompts. */
async function write(pull: Parameters<typeof aPull>[1], repository = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check the body
  let content: any
  const requests = await model.during(async () => {
    content = (await generated(aPull(service, pull, repository), token)).contents.ja
  })
  return { content, prompts: requests.map((request) => promptOf(request as ModelRequest)) }
}

const sentences = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `${word} number ${i} explains something different.`).join('\n')

test.each(['a', '題', '👩‍👩‍👧 '])(
  'leaves room for notes beside a full conversation with labels of %s',
  async (letter) => {
    const { content, prompts } = await write(
      {
        title: letter.repeat(250).slice(0, 250).toWellFormed(),
        body: `Fixes #2, fixes #3.\n${sentences(400, 'Body')}`,
        labels: Array.from({ length: 100 }, (_, i) => `${i} ${letter.repeat(90)}`.slice(0, 100).toWellFormed()),
        commits: Array.from({ length: 100 }, (_, i) => ({
          message: `fix: ${i}\n\n${sentences(3, 'Commit')}`,
          author: 'a',
        })),
        comments: Array.from({ length: 50 }, (_, i) => ({ author: 'b', body: sentences(5, `Comment ${i}`), at })),
        files: Array.from({ length: 40 }, (_, i) => added(`packages/p${i}/some/long/folder/name${i}/file.ts`, 20)),
      },
      { issues: [2, 3].map((number) => ({ number, title: 'Issue', body: sentences(100, 'Issue') })) },
    )
    expect(content.coverage.files[0].state).toBe('read')
    expect(prompts.length).toBeGreaterThan(2)
    const [, notes = ''] = prompts.at(-1)?.split('\n# Notes') ?? []
    expect(notes.match(/^> note: /gm)?.length).toBeGreaterThan(3)
  },
)

test('reads source code rather than a long document if not both fit', async () => {
  const sources = Array.from({ length: 12 }, (_, i) => added(`src/f${i}/a.ts`, 60))
  const document = added('docs/big.md', 3000, (i) => `Sentence ${i}${' of a long document'.repeat(i % 4)}`)
  const { content } = await write({ files: [...sources, document] })
  const { files } = content.coverage
  expect(files.slice(0, -1).filter(({ state }: { state: string }) => state !== 'read')).toEqual([])
  expect(files.at(-1).state).toBe('partlyRead')
})

test('shows the beginning of a long issue, and the next one', async () => {
  const body = 'The same item is counted twice; here is how to reproduce it. '.repeat(150)
  const issues = [
    { number: 2, title: 'Counted twice', body },
    { number: 3, title: 'Memory', body: 'Short report of the cause.' },
  ]
  const { prompts } = await write({ body: 'Fixes #2, fixes #3.', files: [changed('src/a.ts')] }, { issues })
  expect(prompts[0]).toMatch(/\[Issue #2 by .*\]\n> Counted twice\n/)
  expect(prompts[0]).toContain('> Short report of the cause.')
})

test('shows no carriage returns of a file whose last line lacks its line end', async () => {
  const patch = '@@ -1,3 +1,3 @@\n class A\r\n-old();\r\n+came();\r\n }'
  const { prompts } = await write({ files: [changed('a.cs', { patch, additions: 1, deletions: 1 })] })
  expect(prompts[0]).toContain('+ came();\n')
  expect(prompts[0]).not.toContain('⟨U+000D⟩')
})

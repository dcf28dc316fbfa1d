import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { type ModelRequest, promptOf } from '../support/fakeModel.ts'
import { planted, plantedSecrets } from '../support/plantedSecrets.ts'
import { changed } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startWritingService({ MODEL_TOKENS_PER_CALL: '60000' })
const withoutModel = await startService()
afterAll(() => Promise.all([service.close(), withoutModel.close()]))

const lines = planted().flatMap(({ line }) => line.split('\n'))
const everywhere = lines.join('\n')
const one = planted()[0]?.line.split('\n')[0] ?? ''
const at = '2026-01-01T00:00:00Z'
const inPath = `src/${plantedSecrets.find(({ kind }) => /github/i.test(kind))?.text}.ts`
const repository = { issues: [{ number: 2, title: one, body: everywhere }] }
const pull = {
  title: `Rotate ${planted()[0]?.line}`,
  body: `Fixes #2.\n${everywhere}`,
  labels: [one.slice(0, 100)],
  milestone: one,
  baseBranch: one,
  commits: [{ message: `chore: keys\n\n${everywhere}`, author: 'a' }],
  comments: [{ author: 'b', body: everywhere, at }],
  reviewComments: [{ author: 'b', body: 'Is this its name?', at, path: inPath, line: 1 }],
  files: [
    { ...changed('src/renamed.ts'), previous_filename: inPath, status: 'renamed' },
    {
      filename: 'src/keys.ts',
      status: 'added',
      additions: lines.length,
      deletions: 0,
      patch: `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`,
    },
  ],
}

test(`sends none of ${plantedSecrets.length} planted secrets to the model`, async () => {
  expect(plantedSecrets.length).toBeGreaterThanOrEqual(60)
  expect(new Set(plantedSecrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20)
  const token = await service.signedUp('reader')
  const place = aPull(service, pull, repository)
  const requests = await service.model.during(async () => {
    const { contents } = await articlesOf(service).generated(place, token)
    expect(contents.ja.coverage.secretsMasked).toBeGreaterThanOrEqual(60)
  })
  const prompt = requests.map(promptOf).join('\n')
  for (const { kind, text } of plantedSecrets)
    for (const part of text.split('\n').filter((line) => line.length > 7))
      expect(prompt.includes(part), `sent: ${kind}`).toBe(false)
  expect(prompt).toContain('[masked secret 1: ')
  expect(prompt).toContain('[Issue #2 by')
  expect(promptOf(requests[0] as ModelRequest)).toContain('stands where something looked like a secret')
})

test('masks a secret where a long text is cut', async () => {
  const secret = plantedSecrets.find(({ kind }) => /github/i.test(kind))?.text ?? ''
  const body = `${'word '.repeat(1600).slice(0, 7975)} ${secret}`
  const comments = [{ author: 'b', body, at }]
  const token = await service.signedUp('cutter')
  const requests = await service.model.during(() => articlesOf(service).generated(aPull(service, { comments }), token))
  expect(requests.map(promptOf).join()).toContain('[masked secret')
  expect(requests.map(promptOf).join()).not.toContain(secret.slice(0, 20))
})

test('alters less than one percent of lines in code without secrets', async () => {
  const folder = join(import.meta.dirname, '../../src/db')
  // As many as one article reads completely.
  const names = (await readdir(folder, { recursive: true }))
    .sort()
    .filter((name) => name.endsWith('.ts'))
    .slice(0, 30)
  const files = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line.trim() !== '')
      const patch = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`
      return { lines, filename: `src/${name}`, status: 'added', additions: lines.length, deletions: 0, patch }
    }),
  )
  const token = await service.signedUp('careful')
  const requests = await service.model.during(() => articlesOf(service).generated(aPull(service, { files }), token))
  const printed = requests.flatMap((request) => promptOf(request).split('\n'))
  const sent = new Set(printed.map((line) => line.replace(/^ *\d+ \+ /, '')))
  // Long runs of similar lines are condensed, which says how many are left out.
  const condensed = printed.map((line) => Number(/^ *… (\d+) more lines like these/.exec(line)?.[1] ?? 0))
  const clean = files.flatMap(({ lines }) => lines)
  const altered = clean.filter((line) => !sent.has(line.trimEnd())).length - condensed.reduce((sum, n) => sum + n, 0)
  expect(clean.length).toBeGreaterThan(1000)
  expect(altered / clean.length).toBeLessThan(0.01)
  expect(printed.filter((line) => line.includes('[masked secret')).length / clean.length).toBeLessThan(0.01)
})

test('shows no secret in an outline', async () => {
  const token = await withoutModel.signedUp('reader')
  const { id } = await articlesOf(withoutModel).generated(aPull(withoutModel, pull, repository), token)
  const query = { evidenceLines: 'true' }
  const { body } = await withoutModel.call('getArticleById', { params: { articleId: id }, query })
  // The title and labels are shown as the code host shows them.
  const { title, labels, ...texts } = body.data
  const { lines: cited } = texts.contents.ja.lead.evidence[0]
  expect(cited).toHaveLength(60)
  expect(cited[0].text).toContain('[masked secret 1: ')
  for (const { kind, text } of plantedSecrets)
    for (const part of text.split('\n').filter((line) => line.length > 7))
      expect(JSON.stringify(texts).includes(part), `shown: ${kind}`).toBe(false)
})

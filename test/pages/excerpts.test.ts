import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { behaves } from '../support/fakeModel.ts'

const service = await startWritingService({ ARTICLES_FOR_PRIVATE: 'on' })
afterAll(() => service.close())
const { model } = service
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

const added = (filename: string, lines: string[]) => ({
  filename,
  status: 'added',
  additions: lines.length,
  deletions: 0,
  patch: `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`,
})
const citation = (startLine: number, endLine: number, path = 'a.ts') => ({ path, side: 'new', startLine, endLine })
type Citation = ReturnType<typeof citation>

const MAX = { mainChanges: 50, notablePoints: 30, evidence: 20 }
/** As many different citations as the contract allows, within the first 60 lines of a file. */
const maxCitations = Array.from({ length: 60 }, (_, i) => i + 1)
  .flatMap((start) => Array.from({ length: 60 - start }, (_, i) => citation(start, start + i + 1)))
  .slice(0, (MAX.mainChanges + MAX.notablePoints) * MAX.evidence)

/** The page of an article whose claims have this evidence and descriptions of `length` characters. */
async function renderCiting(files: object[], evidence: Citation[][], length = 100): Promise<string> {
  const text = 'この変更は処理の流れを見直したものである。'.repeat(200).slice(0, length)
  const claims = {
    mainChanges: evidence.slice(0, MAX.mainChanges).map((cited) => ({
      ...{ fileName: cited[0]?.path, changeTypes: ['FIX'], description: text, evidence: cited },
    })),
    notablePoints: evidence
      .slice(MAX.mainChanges)
      .map((cited) => ({ categories: ['RISK'], point: text, evidence: cited })),
  }
  // Notes about a part of a large pull request have no title.
  model.always(behaves.changed((good) => (good.aiGeneratedTitle === undefined ? good : { ...good, ...claims })))
  const { id, contents } = await generated(aPull(service, { files: files as never }), token)
  expect(contents.ja.coverage.claimsDropped).toBe(0)
  return pageOf(id)
}

const pageOf = async (id: string) => (await fetch(`${service.url}/read/articles/${id}?language=ja`)).text()

/** The line numbers that each citation shows. */
const shownIn = (page: string) =>
  [...page.matchAll(/<figure>.*?<\/figure>/gs)].map(([figure]) =>
    [...figure.matchAll(/class="number">(\d+)</g)].map(([, number]) => Number(number)),
  )

test('every citation expands to its first lines, also in a long article', async () => {
  const lines = Array.from({ length: 400 }, (_, i) => `const value${i} = "${'x'.repeat(300)}"`)
  const cited = Array.from({ length: 40 }, (_, i) => citation(10 * i + 1, 10 * i + 10))
  const page = await renderCiting(
    [added('a.ts', lines)],
    Array.from({ length: 10 }, (_, i) => cited.slice(4 * i, 4 * i + 4)),
    3900,
  )
  const shown = shownIn(page)
  expect(shown).toHaveLength(40)
  for (const [i, numbers] of shown.entries()) {
    expect(numbers.length).toBeGreaterThanOrEqual(3)
    expect(numbers[0]).toBe(10 * i + 1)
  }
})

test('citations expand to all their lines if they are few, also in a long article', async () => {
  const lines = Array.from({ length: 30 }, (_, i) => `const value${i} = ${i}`)
  const page = await renderCiting(
    [added('a.ts', lines)],
    Array.from({ length: 8 }, (_, i) => [citation(i + 1, i + 10)]),
    3900,
  )
  expect(shownIn(page)).toEqual(Array.from({ length: 8 }, (_, i) => Array.from({ length: 10 }, (_, at) => i + 1 + at)))
})

test('citations that share lines each show their own', async () => {
  const lines = Array.from({ length: 30 }, (_, i) => `const value${i} = ${i}`)
  const page = await renderCiting(
    [added('a.ts', lines)],
    [
      [citation(2, 4), citation(3, 6)],
      [citation(2, 4), citation(3, 3)],
    ],
  )
  expect(shownIn(page)).toEqual([[2, 3, 4], [3, 4, 5, 6], [2, 3, 4], [3]])
})

test('limits the page size for the maximum number of citations', async () => {
  const lines = Array.from({ length: 60 }, () => 'x'.repeat(300))
  const evidence = Array.from({ length: 80 }, (_, i) => maxCitations.slice(20 * i, 20 * i + 20))
  const page = await renderCiting([added('a.ts', lines)], evidence)
  const shown = shownIn(page)
  expect(shown).toHaveLength(1600)
  for (const [i, { startLine, endLine }] of maxCitations.entries())
    expect(shown[i]?.length).toBe(Math.min(3, endLine - startLine + 1))
  expect(Buffer.byteLength(page)).toBeLessThan(2_000_000)
})

test('looks up many citations of a large file quickly', async () => {
  const lines = Array.from({ length: 200_000 }, () => 'x')
  const evidence = Array.from({ length: 80 }, (_, i) => maxCitations.slice(20 * i, 20 * i + 20))
  // CPU time, which is independent of other load on the machine.
  const before = process.threadCpuUsage()
  await renderCiting([added('a.ts', lines)], evidence)
  expect(process.threadCpuUsage(before).user).toBeLessThan(15_000_000)
})

/** Leaves a text as an older version stored it, with these excerpts. */
async function storeAsOlderVersion(id: string, excerpts: object) {
  await sql`
    update article_texts set
      markup = (markup::jsonb || '{"of": "1 2020-01-01T00:00:00.000Z"}')::text, excerpts = ${JSON.stringify(excerpts)}
    where article_id = ${id}`.execute(service.ctx.db)
}

const storedText = (id: string) =>
  service.ctx.db
    .selectFrom('article_texts')
    .where('article_id', '=', id)
    .select(['excerpts', 'markup'])
    .executeTakeFirstOrThrow()

test('adds excerpts from the diff to a text of an older version, once', async () => {
  model.always(undefined)
  const { id } = await generated(aPull(service), token)
  const before = shownIn(await pageOf(id))
  expect(before).toEqual([[1], [1]])
  const stored = await storedText(id)
  await storeAsOlderVersion(id, {})
  expect(shownIn(await pageOf(id))).toEqual(before)
  expect(await storedText(id)).toEqual(stored)
})

test('a text about an older head commit keeps its excerpts', async () => {
  model.always(undefined)
  const { id, contents } = await generated(aPull(service), token)
  const { headSha, mainChanges } = contents.ja
  const olderHead = 'e'.repeat(40)
  await sql`
    update article_texts set content = replace(content, ${headSha}, ${olderHead})
    where article_id = ${id}`.execute(service.ctx.db)
  const url = mainChanges[0].evidence[0].url.replace(headSha, olderHead)
  await storeAsOlderVersion(id, { [url]: { lines: [{ sign: '+', number: 1, text: 'kept with the text' }], more: 0 } })
  expect(await pageOf(id)).toContain('kept with the text')
  expect((await storedText(id)).markup).toContain('kept with the text')
})

test('a public text gets no excerpts from a diff that was read while the repository was private', async () => {
  model.always(undefined)
  const { id } = await generated(aPull(service, {}, { private: true, members: ['reader'] }), token)
  await sql`update article_texts set private = false where article_id = ${id}`.execute(service.ctx.db)
  await storeAsOlderVersion(id, {})
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('reader') })
  const page = await (await browser.visit(`/read/articles/${id}?language=ja`)).text()
  expect(shownIn(page)).toEqual([[], []])
})

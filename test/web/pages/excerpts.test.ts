import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { sendOnce } from '../../support/sendOnce.ts'

const service = await startWritingService({
  SEND_PRIVATE_CODE_TO_MODEL: 'on',
  MODEL_TOKENS_PER_CALL: '16000',
  MODEL_TOKENS_PER_ARTICLE: '100000',
})
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
const linked = (cited: Citation) => ({
  ...cited,
  url: `https://host.example.com/${cited.path}#R${cited.startLine}-R${cited.endLine}`,
})

const MAX = { mainChanges: 50, notablePoints: 30, evidence: 20 }
/** As many different citations as the contract allows, within the first 60 lines of a file. */
const maxCitations = Array.from({ length: 60 }, (_, i) => i + 1)
  .flatMap((start) => Array.from({ length: 60 - start }, (_, i) => citation(start, start + i + 1)))
  .slice(0, (MAX.mainChanges + MAX.notablePoints) * MAX.evidence)

/** The pages of an article whose claims cite `evidence` and have descriptions of `length` characters. */
async function renderCiting(files: object[], evidence: Citation[][], length = 100) {
  const text = 'この変更は処理の流れを見直したものである。'.repeat(200).slice(0, length)
  const claims = {
    mainChanges: evidence.slice(0, MAX.mainChanges).map((cited) => ({
      ...{ heading: '見出し', basis: 'diff', figures: [], fileName: cited[0]?.path, changeTypes: ['FIX'] },
      ...{ description: text, evidence: cited.map(linked) },
    })),
    notablePoints: evidence.slice(MAX.mainChanges).map((cited) => ({
      ...{ importance: 1, basis: 'diff', categories: ['RISK'], point: text, evidence: cited.map(linked) },
    })),
    ...{ lead: null, impact: null, reasons: [], diagram: null, mismatches: [], terms: [] },
  }
  // Changes the stored article, because the contract allows more claims than the service writes.
  const { id } = await generated(aPull(service, { files: files as never }), token)
  await sql`
    update article_texts set
      content = (content::jsonb || ${JSON.stringify(claims)}::jsonb)::text, markup = null, excerpts = null
    where article_id = ${id}`.execute(service.ctx.db)
  return { article: await pageOf(id), evidence: await pageOf(`${id}/evidence`) }
}

const pageOf = async (path: string) => (await sendOnce(`${service.url}/read/articles/${path}?language=ja`)).text()

/** The line numbers that each citation shows. */
const shownIn = (page: string) =>
  [...page.matchAll(/<figure class="evidence".*?<\/figure>/gs)].map(([figure]) =>
    [...figure.matchAll(/class="number">(\d+)</g)].map(([, number]) => Number(number)),
  )

test('the evidence page of a long article shows the first lines of every citation', async () => {
  const lines = Array.from({ length: 400 }, (_, i) => `const value${i} = "${'x'.repeat(300)}"`)
  const cited = Array.from({ length: 40 }, (_, i) => citation(10 * i + 1, 10 * i + 10))
  const { evidence } = await renderCiting(
    [added('a.ts', lines)],
    Array.from({ length: 10 }, (_, i) => cited.slice(4 * i, 4 * i + 4)),
    3900,
  )
  const shown = shownIn(evidence)
  expect(shown).toHaveLength(40)
  for (const [i, numbers] of shown.entries()) {
    expect(numbers.length).toBeGreaterThanOrEqual(3)
    expect(numbers[0]).toBe(10 * i + 1)
  }
})

test('the evidence page of a long article shows all cited lines if they are few', async () => {
  const lines = Array.from({ length: 30 }, (_, i) => `const value${i} = ${i}`)
  const { evidence } = await renderCiting(
    [added('a.ts', lines)],
    Array.from({ length: 8 }, (_, i) => [citation(i + 1, i + 10)]),
    3900,
  )
  expect(shownIn(evidence)).toEqual(
    Array.from({ length: 8 }, (_, i) => Array.from({ length: 10 }, (_, at) => i + 1 + at)),
  )
})

test('equal citations share a number, and each distinct citation shows its own lines', async () => {
  const lines = Array.from({ length: 30 }, (_, i) => `const value${i} = ${i}`)
  const { article, evidence } = await renderCiting(
    [added('a.ts', lines)],
    [
      [citation(2, 4), citation(3, 6)],
      [citation(2, 4), citation(3, 3)],
    ],
  )
  expect([...article.matchAll(/href="([^"]*)#e(\d)" aria-label="根拠 \d">(\d)</g)].map(([, , ...ids]) => ids)).toEqual([
    ['1', '1'],
    ['2', '2'],
    ['1', '1'],
    ['3', '3'],
  ])
  expect(shownIn(evidence)).toEqual([[2, 3, 4], [3, 4, 5, 6], [3]])
})

test('limits the size of pages even with the maximum number of citations', async () => {
  const lines = Array.from({ length: 60 }, () => 'x'.repeat(300))
  const cited = Array.from({ length: 80 }, (_, i) => maxCitations.slice(20 * i, 20 * i + 20))
  const { article, evidence } = await renderCiting([added('a.ts', lines)], cited)
  const shown = shownIn(evidence)
  expect(shown).toHaveLength(1600)
  for (const [i, { startLine, endLine }] of maxCitations.entries())
    expect(shown[i]?.length).toBe(Math.min(3, endLine - startLine + 1))
  expect(Buffer.byteLength(evidence)).toBeLessThan(2_500_000)
  expect(Buffer.byteLength(article)).toBeLessThan(300_000)
})

/** Changes a stored text as if an older version of the service had stored it with these excerpts. */
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
    .select(['excerpts', 'markup', 'feed_html'])
    .executeTakeFirstOrThrow()

test('adds excerpts from the diff to a text that an older version of the service stored, and stores the excerpts', async () => {
  model.always(undefined)
  const { id } = await generated(aPull(service), token)
  const stored = await storedText(id)
  for (const first of [id, `${id}/evidence`]) {
    await storeAsOlderVersion(id, {})
    await pageOf(first)
    expect(await storedText(id)).toEqual(stored)
    expect(shownIn(await pageOf(`${id}/evidence`))).toEqual([[1]])
  }
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
  await storeAsOlderVersion(id, {
    [url]: { lines: [{ sign: '+', old: null, new: 1, text: 'kept with the text' }], more: 0 },
  })
  expect(await pageOf(`${id}/evidence`)).toContain('kept with the text')
  expect((await storedText(id)).excerpts).toContain('kept with the text')
})

test('a public text gets no excerpts from a diff that was read while the repository was private', async () => {
  model.always(undefined)
  const { id } = await generated(aPull(service, {}, { private: true, members: ['reader'] }), token)
  await sql`update article_texts set private = false where article_id = ${id}`.execute(service.ctx.db)
  await storeAsOlderVersion(id, {})
  const browser = openBrowser(service.url)
  await browser.submit('/sign-in', { token: service.host.token('reader') })
  const page = await (await browser.visit(`/read/articles/${id}/evidence?language=ja`)).text()
  expect(shownIn(page)).toEqual([[]])
  expect(page).toContain('この根拠の行は保存されていません。')
})

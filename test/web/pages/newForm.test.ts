import { XMLParser } from 'fast-xml-parser'
import { afterAll, expect, test } from 'vitest'
import type { StoredContent } from '../../../src/writer/content.ts'
import { startWritingService } from '../../support/articles.ts'
import { feature } from '../../support/newForm/feature.ts'
import { large } from '../../support/newForm/large.ts'
import type { Sample } from '../../support/newForm/sample.ts'
import { smallFix } from '../../support/newForm/smallFix.ts'
import { storeSample } from '../../support/newForm/store.ts'
import { sendOnce } from '../../support/sendOnce.ts'

const service = await startWritingService()
afterAll(() => service.close())
const token = await service.signedUp('reader')
const parser = new XMLParser({ ignoreAttributes: false })

const pageAt = async (path: string, language = 'ja') =>
  (await sendOnce(`${service.url}/read/articles/${path}`, { headers: { 'accept-language': language } })).text()

async function shown(sample: Sample, language = 'ja') {
  const { id, place, content } = await storeSample(service, token, sample)
  return { id, place, content, page: await pageAt(`${id}?language=ja`, language) }
}

/** A sample whose content is changed. */
const changed = (sample: Sample, change: (content: ReturnType<Sample['content']>) => object): Sample => ({
  ...sample,
  content(cutter) {
    const content = sample.content(cutter)
    return { ...content, ...change(content) }
  },
})

const textOf = (html: string) => html.replace(/<[^>]+>|\u2060/g, ' ').replace(/\s+/g, ' ')
const headingsIn = (page: string) =>
  [...page.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, heading]) => textOf(heading ?? ''))

test('an article page starts with facts, lead and impact', async () => {
  const { page } = await shown(large)
  const [head = '', rest = ''] = page.split('<div class="lead">')
  expect(textOf(head)).toMatch(
    /AI生成 PR: ferry-release bot マージ済み 2026年10月2日 \+65 −5 · 7 ファイル 約 4 分 breaking area: queue performance release: 3\.0/,
  )
  expect(head).toMatch(/<meta name="description" content="Ferry 3\.0 は、ジョブを Redis ではなく/)
  expect(textOf(rest)).toMatch(
    /更新の前に設定の変更とジョブの移行が必要です。 1 2 対象 Ferry を.* 互換性 破壊的変更 FERRY_REDIS_URL と.* 3 4 必要な対応 マイグレーションを適用し.* リリース v3\.0\.0/,
  )
})

test('says that no action is needed, and leaves out an unknown release', async () => {
  const { page } = await shown(changed(smallFix, ({ impact }) => ({ impact: { ...impact, since: null } })))
  expect(textOf(page)).toContain('必要な対応 なし なぜ変えたのか')
})

test('shows a release as plain text', async () => {
  const { page } = await shown(
    changed(smallFix, ({ impact }) => ({ impact: { ...impact, since: '2. *Sprint* [x](https://a.example)' } })),
  )
  expect(page).toContain('<dd>2. *Sprint* [x](https://a.example)</dd>')
})

test('shows all parts in order, with headings in the language of the article', async () => {
  const { page, content } = await shown(large, 'en')
  expect(headingsIn(page)).toEqual([
    'なぜ変えたのか',
    '全体の流れ',
    ...content.mainChanges.map(({ heading }: { heading: string }) => heading),
    '気をつけること',
    '説明文と差分の食い違い',
    '用語',
  ])
  expect(page).toContain('<html lang="en">')
  expect(page).toMatch(/<li class="made-by">AI-generated<\/li>\n<li>PR by ferry-release <span class="tag">bot<\/span>/)
  expect(page).toMatch(/<li class="merged">Merged <time datetime="2026-10-02T23:40:00\.000Z">Oct 2, 2026<\/time>/)
  expect(page).toMatch(
    /<blockquote[^>]*><p>All existing settings keep working\.<\/p><\/blockquote><figcaption>PR の説明文/,
  )
  expect(page).toMatch(/<ol class="points">\n<li><p class="category">リスク<\/p>/)
  expect(page).toMatch(/<small class="basis" title="[^"]+">推測<\/small>\u2060<sup>/)
  expect(page).toMatch(/<dt><code>skip locked<\/code><\/dt>/)
})

test('has a table of contents if the article has four sections or more', async () => {
  const { page } = await shown(large)
  const [, list = ''] = /<nav class="contents".*?>(.*?)<\/nav>/s.exec(page) ?? []
  const targets = [...list.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(targets).toHaveLength(11)
  for (const id of targets) expect(page).toContain(`<h2 id="${id}">`)
  expect((await shown(feature)).page).not.toContain('<nav class="contents"')
})

test('quotes reasons as plain text with their source', async () => {
  const { page, content } = await shown(
    changed(feature, ({ reasons }) => ({
      reasons: reasons.map((reason) => ({
        ...reason,
        sources: reason.sources.map((source) => ({ ...source, quote: `${source.quote} <b>*x*</b>\nsecond line` })),
      })),
    })),
  )
  const { quote, url } = content.reasons[1].sources[0]
  const text = quote.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  expect(page).toContain(
    `<p>${text}</p></blockquote><figcaption><a href="${url}" rel="external">関連する Issue</a></figcaption>`,
  )
})

test('shows code before and after the change, with line numbers, gaps and marks on changed lines', async () => {
  const { page } = await shown(smallFix)
  const sides = [...page.matchAll(/<div class="side">.*?<\/div>/gs)].map(([side]) => side)
  expect(sides.map((side) => textOf(side).trim().slice(0, 16))).toEqual(['変更前 src/retry.ts', '変更後 src/retry.ts'])
  const rowsOf = (side = '') =>
    [...side.matchAll(/<span (?:data-n="(\d+)"|class="(gap)")(?: class="(\w+)")?>/g)].map((row) =>
      row.slice(1).join(''),
    )
  expect(rowsOf(sides[0])).toEqual(['18', '19removed', '20removed', '21'])
  expect(rowsOf(sides[1])).toEqual(['18', '19added', '20added', '21', 'gap', '25added', '26added', '27added'])
  expect(sides[1]).toMatch(/<a href="[^"]+\/files\/[^"]+R18-R21" rel="external"><code>src\/retry\.ts<\/code>/)
})

test('labels examples, and lets tables scroll', async () => {
  const { page } = await shown(feature)
  expect(page).toMatch(/<figure class="example">.*<b>使用例<\/b> 説明のための例で、プロジェクトのコードではありません/s)
  expect(page).toMatch(
    /<div class="scroll" tabindex="0" role="group" aria-label="同じキーが 2 か所にあるときの結果"><table>/,
  )
  expect(page).toMatch(/<th scope="row">一覧<\/th><td><code>origins: \[a, b\]<\/code><\/td>/)
})

test('shows every citation on the evidence page, with labels for both sides of the diff', async () => {
  const { id, page, content } = await shown(smallFix)
  const address = `/read/articles/${id}/evidence?language=ja`
  const numbers = [...page.matchAll(/<a class="cite" href="([^"]+)#e(\d+)" aria-label="根拠 (\d+)">(\d+)<\/a>/g)]
  expect(numbers.map(([, ...found]) => found)).toEqual(
    ['1', '2', '3', '4', '2', '2'].map((number) => [address, number, number, number]),
  )
  const evidence = await pageAt(`${id}/evidence?language=ja`)
  const blocks = [...evidence.matchAll(/<figure class="evidence" id="(e\d)">(.*?)<\/figure>/gs)]
  expect(blocks.map(([, name]) => name)).toEqual(['e1', 'e2', 'e3', 'e4'])
  expect(textOf(blocks[2]?.[2] ?? '')).toContain(
    '3 src/retry.ts 変更前 19–20 行目 前 後 19 - const seconds = Number(header) 20 - if (header &amp;&amp;',
  )
  for (const { url } of [content.lead, content.impact].flatMap((part) => part.evidence)) expect(evidence).toContain(url)
  expect(evidence).toContain('<meta name="robots" content="noindex">')
})

test('links to more lines of a citation, and says so if none of its lines are stored', async () => {
  const { id, content } = await shown(smallFix)
  const [first, second] = [content.lead.evidence[0].url, content.impact.evidence[0].url]
  const excerpts = { [first]: { lines: [{ sign: ' ', old: 18, new: 19, text: 'a <b>' }], more: 5 } }
  await service.ctx.db
    .updateTable('article_texts')
    .set({ excerpts: JSON.stringify(excerpts) })
    .where('article_id', '=', id)
    .execute()
  const page = await pageAt(`${id}/evidence?language=ja`)
  expect(page).toContain('<span class="number">18</span><span class="number">19</span>  a &lt;b&gt;')
  expect(page).toContain(`<a href="${first}" rel="external">ほか 5 行をコードホストで見る</a>`)
  expect(page).toContain(`この根拠の行は保存されていません。 <a href="${second}" rel="external">コードホストで見る</a>`)
})

test('escapes every text of an article', async () => {
  const hostile = '<img src=x onerror=alert(1)> "> <script>alert(1)</script> [x](javascript:alert(1)) \u202e'
  const replaced = (value: unknown, key = ''): unknown => {
    if (Array.isArray(value)) return value.map((one) => replaced(one, key))
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one, name)]))
    const isWord = ['basis', 'kind', 'side', 'compatibility', 'changeTypes', 'categories', 'id', 'from', 'to'].includes(
      key,
    )
    if (typeof value !== 'string' || isWord) return value
    return key === 'url' ? `javascript:alert(1)//${value}` : hostile
  }
  const { id, place, page } = await shown(changed(large, (content) => replaced(content) as object))
  const feed = parser.parse(await (await sendOnce(`${service.url}/feeds/repos/${place.split('#')[0]}`)).text()).feed
  expect(feed.entry.content['#text']).toContain('<pre>&lt;img src=x onerror=alert(1)&gt;')
  for (const text of [page, await pageAt(`${id}/evidence?language=ja`), feed.entry.content['#text']]) {
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
    expect(text.match(/<img|<script>|href="javascript|\u202e|style="/g)).toBeNull()
  }
})

test('the page of a usual article has less than 60 kB', async () => {
  const { page, content } = await shown(feature)
  const { mainChanges } = content as StoredContent
  expect(mainChanges.flatMap(({ figures }) => figures)).toHaveLength(3)
  expect(new Set(page.match(/#e\d+/g))).toHaveLength(10)
  expect(Buffer.byteLength(page)).toBeLessThan(60_000)
})

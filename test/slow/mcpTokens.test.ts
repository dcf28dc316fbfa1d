import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, describe, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { connectClient, type ToolResult, VERSIONS } from '../support/mcp.ts'
import { startService } from '../support/service.ts'

const MAX_TOKENS = 8000
const tokensOf = (text: string) => countTokens(text, { disallowedSpecial: new Set() })
const tokensOfResult = ({ structured, text }: ToolResult) => tokensOf(JSON.stringify(structured ?? '')) + tokensOf(text)

const service = await startService()
afterAll(() => service.close())
const token = await service.signedUp('reader')
const { generated } = articlesOf(service)
const [first = '', ...others] = Array.from({ length: 20 }, () => aPull(service, { mergedAt: '2026-02-01T00:00:00Z' }))
const ids: string[] = []
for (const place of [first, ...others]) ids.push((await generated(place, token, { language: 'en' })).id)

const fillers: Record<string, (length: number) => string> = {
  English: (length) => 'The change counts every request of a caller once. '.repeat(length / 50 + 1).slice(0, length),
  Japanese: (length) =>
    'この変更は、呼び出しを一度だけ数えるように改めたものである。'.repeat(length / 30 + 1).slice(0, length),
  'rare characters': (length) => '龘𠮷䨻꙳'.repeat(length / 5 + 1).slice(0, length),
  'quotation marks': (length) => '"\\'.repeat(length / 2 + 1).slice(0, length),
}

/** Makes all titles and leads, and all parts of the first article, as long as the contract allows. */
async function enlarge(fill: (length: number) => string, isHostile: boolean): Promise<void> {
  const evidence = Array.from({ length: 20 }, (_, i) => ({
    ...{ path: `${isHostile ? fill(300) : 'src/http'}/${i}.ts`, side: 'new', startLine: i + 1, endLine: i + 9 },
    url: `https://host.example.com/acme/shop/pull/1/files/abc#diff-${String(i).repeat(64).slice(0, 64)}R${i + 1}-R${i + 9}`,
  }))
  const claims = <T>(count: number, claim: T) => Array.from({ length: count }, () => ({ ...claim, evidence }))
  for (const [i, id] of ids.entries()) {
    const row = service.ctx.db.updateTable('article_texts').where('article_id', '=', id)
    await row.set({ title: fill(80), lead: fill(1000) }).execute()
    if (i > 0) continue
    const { content } = await service.ctx.db
      .selectFrom('article_texts')
      .where('article_id', '=', id)
      .select('content')
      .executeTakeFirstOrThrow()
    const large = {
      ...JSON.parse(content),
      aiGeneratedTitle: fill(80),
      lead: { text: fill(1000), basis: 'diff', evidence },
      impact: {
        ...{ affected: fill(600), compatibility: 'breaking', reason: fill(600), action: fill(600), since: fill(100) },
        evidence,
      },
      reasons: claims(6, { text: fill(1000), basis: 'diff', sources: [] }),
      backgroundAndPurpose: fill(8000),
      mainChanges: claims(50, {
        ...{ heading: fill(200), fileName: 'a.ts', changeTypes: ['FIX'], description: fill(4000) },
        figures: [],
      }),
      notablePoints: claims(30, { importance: 1, categories: ['RISK'], point: fill(4000), basis: 'diff' }),
      mismatches: claims(5, { text: fill(1000), quote: fill(1000) }),
      terms: Array.from({ length: 3 }, () => ({ term: fill(100), meaning: fill(400) })),
    }
    await row.set({ content: JSON.stringify(large) }).execute()
  }
  service.ctx.indexing.soon()
}

describe.each(Object.entries(fillers))('answers about the longest articles: %s', async (kind, fill) => {
  test('have at most 8,000 tokens, and link to the rest', async () => {
    const isHostile = kind !== 'English' && kind !== 'Japanese'
    await enlarge(fill, isHostile)
    const { call } = await connectClient(service, VERSIONS[0], token)
    const read = await call('read_article', { articleId: ids[0] })
    const asked = await call('ask_for_article', { pullRequest: first, language: 'en' })
    const found = await call('search_articles', { limit: 20 })
    const changed = await call('what_changed', { since: '2020-01-01', limit: 20 })
    const all = { read, asked, found, changed }
    for (const [name, result] of Object.entries(all)) {
      expect(result.isError, `${name}: ${result.text}`).toBe(false)
      expect(tokensOfResult(result), name).toBeLessThanOrEqual(MAX_TOKENS)
    }
    const omitted = /(\d+) less important parts were left out/.exec(read.text)?.[1]
    expect(Number(omitted)).toBeGreaterThan(50)
    expect(read.text).toContain(`/read/articles/${ids[0]}`)
    // Most of the limit is used, if the texts are not made to take many tokens.
    if (!isHostile)
      for (const [name, result] of Object.entries({ read, found, changed }))
        expect(tokensOfResult(result), name).toBeGreaterThan(4000)
    const seen = new Set<string>()
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { structured } = await call('search_articles', { limit: 20, ...(cursor && { cursor }) })
      for (const { articleId } of structured.articles) seen.add(articleId)
      cursor = structured.nextCursor
    }
    expect(seen.size).toBe(ids.length)
  })
})

test('errors have fewer than 8,000 tokens even if the arguments are long', async () => {
  const { call } = await connectClient(service, VERSIONS[0])
  const names = Array.from({ length: 50 }, (_, i) => [`${'龘'.repeat(400)}${i}`, i])
  const result = await call('search_articles', Object.fromEntries(names))
  expect([result.isError, tokensOfResult(result) < MAX_TOKENS]).toEqual([true, true])
})

// Clients send the list to the model with every conversation.
test('the list of tools has fewer than 2,000 tokens', async () => {
  const { tools } = await connectClient(service, VERSIONS[0])
  expect(tokensOf(JSON.stringify(tools))).toBeLessThan(2000)
})

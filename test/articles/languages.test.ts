import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { behaves, type ModelRequest, promptOf } from '../support/fakeModel.ts'
import { changed } from '../support/pulls.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { model } = service
model.addFigures()
const { generate, generated } = articlesOf(service)
const token = await service.signedUp('reader')
const rows = Array.from({ length: 20 }, (_, i) => `+${' '.repeat(i)}if (seen.has(item${i})) return counted(item${i})`)
const files = ['a.ts', 'b.ts', 'c.ts'].map((name) =>
  changed(`src/${name}`, { patch: `@@ -1,0 +1,20 @@\n${rows.join('\n')}`, additions: 20, deletions: 0 }),
)

const sizeOf = (request: ModelRequest) => request.messages.reduce((sum, { content }) => sum + countTokens(content), 0)

/** What stays the same in every language: numbers, enumerations, citations, quotes and code. */
function keptParts(content: Record<string, unknown>): string[] {
  const kept: string[] = []
  JSON.stringify(content, (key, value) => {
    if (['evidence', 'sources', 'lines', 'ranges', 'basis', 'changeTypes', 'importance'].includes(key))
      kept.push(`${key} ${JSON.stringify(value)}`)
    return value
  })
  return kept
}

test('translates verified claims into a second language with the same citations and fewer tokens', async () => {
  const place = aPull(service, { files })
  const [first] = await model.during(() => generated(place, token))
  const requests = await model.during(async () => {
    const { contents } = await generated(place, token, { language: 'fr' })
    expect(contents.fr.generator).toMatchObject({ kind: 'model', translatedFrom: 'ja', calls: 1 })
    expect(contents.ja.generator.translatedFrom).toBeNull()
    expect(keptParts(contents.fr)).toEqual(keptParts(contents.ja))
    expect(contents.fr.coverage).toEqual(contents.ja.coverage)
    const { lead, impact, reasons, mainChanges, notablePoints } = contents.fr
    const texts = [lead.text, impact.affected, impact.reason, reasons[0].text, mainChanges[0].heading]
    const captions = mainChanges[0].figures.map(({ code }: { code: { caption: string } }) => code.caption)
    for (const text of [...texts, ...captions, mainChanges[0].description, notablePoints[0].point])
      expect(text).toContain('Cette modification')
  })
  expect(requests.length).toBe(1)
  expect(promptOf(requests[0] as ModelRequest)).not.toContain('## File')
  expect(sizeOf(requests[0] as ModelRequest) / sizeOf(first as ModelRequest)).toBeLessThan(1 / 3)
})

test('translates into a third language from the original, not from a translation', async () => {
  const place = aPull(service, { files })
  for (const language of ['ja', 'fr']) await generated(place, token, { language })
  const { contents } = await generated(place, token, { language: 'en' })
  expect(contents.en.generator.translatedFrom).toBe('ja')
})

test('reads a new head commit instead of translating', async () => {
  const repository = { pulls: [] as object[] }
  const place = aPull(service, { files }, repository)
  await generated(place, token)
  const { pulls = [] } = service.host.repositories.find(({ name }) => place.includes(name)) ?? {}
  Object.assign(pulls[0] ?? {}, { head: 'e'.repeat(40), updatedAt: '2026-03-03T00:00:00Z' })
  service.advance(61_000)
  const { contents } = await generated(place, token, { language: 'en' })
  expect(contents.en.generator.translatedFrom).toBeNull()
  expect([contents.ja.stale, contents.en.stale]).toEqual([true, false])
})

test('fails after two translations in the wrong language', async () => {
  const place = aPull(service, { files })
  await generated(place, token)
  const japanese = 'この変更は処理の流れを見直したものであり、利用者が驚かないようにした。'
  const untranslated = behaves.changed((good) => {
    return Object.fromEntries(Object.keys(good).map((key) => [key, japanese])) as typeof good
  })
  model.next(untranslated, untranslated)
  const requests = await model.during(async () => {
    const { status, body } = await generate(place, token, { language: 'fr' })
    expect([status, body.error.code]).toEqual([502, 'GENERATION_FAILED'])
  })
  expect(requests[1]?.messages.at(-1)?.content).toContain('not in French (français)')
})

const diagram = {
  caption: '`counted` の流れ',
  nodes: ['a', 'b', 'c'].map((id) => ({ id, label: `処理 ${id}` })),
  edges: ['b', 'c'].map((to) => ({ from: 'a', to, label: null })),
}

/** An article with a diagram and a term, to be translated. */
async function withDiagram(): Promise<string> {
  const place = aPull(service, { files })
  const terms = [{ term: 'メモ', meaning: '`counted` が覚えているもの' }]
  model.next(behaves.changed((good) => ({ ...good, diagram, terms })))
  await generated(place, token)
  return place
}

const translated = (texts: object) => behaves.changed((good) => ({ ...good, ...texts }))
const short = { diagram_node1: 'un', diagram_node2: 'deux', diagram_node3: 'trois', term1: 'mémo' }

test('keeps the code spans of captions and meanings in a translation', async () => {
  const place = await withDiagram()
  const text = 'Ce que `counted` garde'
  model.next(translated({ ...short, diagram_caption: text, term1_meaning: text }))
  const { contents } = await generated(place, token, { language: 'fr' })
  expect(contents.fr).toMatchObject({ diagram: { caption: text }, terms: [{ term: 'mémo', meaning: text }] })
})

test('asks again for translated texts that are longer than the contract allows', async () => {
  const place = await withDiagram()
  const sentence = 'Cette modification évite de compter deux fois la même chose. '
  const long = { ...short, diagram_node1: sentence.repeat(3), section1_text: sentence.repeat(100) }
  model.next(translated(long), translated(short))
  const requests = await model.during(async () => {
    const { contents } = await generated(place, token, { language: 'fr' })
    expect(contents.fr.diagram.nodes[0].label).toBe('un')
  })
  const request = requests[1]?.messages.at(-1)?.content
  expect(request).toContain('diagram_node1: write at most 120 characters')
  expect(request).toContain('section1_text: write at most 4000 characters')
})

test('writes in a language that the detector does not know', async () => {
  const { contents } = await generated(aPull(service), token, { language: 'id' })
  expect(contents.id.backgroundAndPurpose).toContain('Perubahan')
})

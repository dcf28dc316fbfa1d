import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import type { StoredContent } from '../../src/writer/content.ts'
import { BadAnswer } from '../../src/writer/errors.ts'
import { type ModelRequest, promptOf } from '../support/fakeModel.ts'
import { changed } from '../support/pulls.ts'
import { changing, failed, lastMessage, type Reply, translated, written } from '../support/writing.ts'

const rows = Array.from({ length: 20 }, (_, i) => `+${' '.repeat(i)}if (seen.has(item${i})) return counted(item${i})`)
const files = ['a.ts', 'b.ts', 'c.ts'].map((name) =>
  changed(`src/${name}`, { patch: `@@ -1,0 +1,20 @@\n${rows.join('\n')}`, additions: 20, deletions: 0 }),
)
const write = (...replies: Reply[]) => written({ pull: { files }, figures: true, replies })

const sizeOf = (request: ModelRequest | undefined) =>
  request?.messages.reduce((sum, { content }) => sum + countTokens(content), 0) ?? 0

/** The parts that stay the same in every language: numbers, enumerations, citations, quotes and code. */
function keptParts(content: StoredContent): string[] {
  const kept: string[] = []
  JSON.stringify(content, (key, value) => {
    if (['evidence', 'sources', 'lines', 'ranges', 'basis', 'changeTypes', 'importance'].includes(key))
      kept.push(`${key} ${JSON.stringify(value)}`)
    return value
  })
  return kept
}

test('a translation keeps all citations, and its prompt has less than a third of the original tokens', async () => {
  const original = await write()
  const { content, requests } = await translated(original, 'fr')
  expect(content.generator.calls).toBe(1)
  expect(keptParts(content)).toEqual(keptParts(original.content))
  const { lead, impact, reasons, mainChanges, notablePoints } = content
  const texts = [lead?.text, impact?.affected, impact?.reason, reasons[0]?.text, mainChanges[0]?.heading]
  const captions = mainChanges[0]?.figures.map((figure) => figure.kind === 'code' && figure.caption) ?? []
  expect(captions).toHaveLength(1)
  for (const text of [...texts, ...captions, mainChanges[0]?.description, notablePoints[0]?.point])
    expect(text).toContain('Cette modification')
  expect(requests.length).toBe(1)
  expect(requests.map(promptOf).join()).not.toContain('## File')
  expect(sizeOf(requests[0]) / sizeOf(original.requests[0])).toBeLessThan(1 / 3)
})

test('fails after two translations in the wrong language', async () => {
  const japanese = 'この変更は処理の流れを見直したものであり、利用者が驚かないようにした。'
  const always = changing((good) => Object.fromEntries(Object.keys(good).map((key) => [key, japanese])))
  const { error, requests } = await failed(translated(await write(), 'fr', { always }))
  expect(error).toBeInstanceOf(BadAnswer)
  expect(requests.length).toBe(2)
  expect(lastMessage(requests[1])).toContain('not in French (français)')
})

const diagram = {
  caption: '`counted` の流れ',
  nodes: ['a', 'b', 'c'].map((id) => ({ id, label: `処理 ${id}` })),
  edges: ['b', 'c'].map((to) => ({ from: 'a', to, label: null })),
}
const terms = [{ term: 'メモ', meaning: '`counted` が覚えているもの' }]
/** An article with a diagram and a term, to be translated. */
const withDiagram = () => write(changing(() => ({ diagram, terms })))
const saying = (texts: object) => changing(() => texts)
const short = { diagram_node1: 'un', diagram_node2: 'deux', diagram_node3: 'trois', term1: 'mémo' }

test('a translation keeps code spans in captions and in meanings of terms', async () => {
  const text = 'Ce que `counted` garde'
  const replies = [saying({ ...short, diagram_caption: text, term1_meaning: text })]
  const { content } = await translated(await withDiagram(), 'fr', { replies })
  expect(content).toMatchObject({ diagram: { caption: text }, terms: [{ term: 'mémo', meaning: text }] })
})

test('asks again for translated texts that are longer than the contract allows', async () => {
  const sentence = 'Cette modification évite de compter deux fois la même chose. '
  const long = { ...short, diagram_node1: sentence.repeat(3), section1_text: sentence.repeat(100) }
  const { content, requests } = await translated(await withDiagram(), 'fr', { replies: [saying(long), saying(short)] })
  expect(content.diagram?.nodes[0]?.label).toBe('un')
  const request = lastMessage(requests[1])
  expect(request).toContain('diagram_node1: write at most 120 characters')
  expect(request).toContain('section1_text: write at most 4000 characters')
})

test('writes in a language that the language detector does not know', async () => {
  const { content } = await written({ language: 'id' })
  expect(content.backgroundAndPurpose).toContain('Perubahan')
})

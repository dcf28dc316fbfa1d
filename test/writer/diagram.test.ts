import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { diagramSvg } from '../../src/writer/render/diagram.ts'
import { diagramText } from '../../src/writer/render/diagramFlow.ts'
import { pick, seededRandom } from '../support/seededRandom.ts'

type Edge = [from: string, to: string, label?: string]

/** A diagram. `nodes` maps ids to labels, or is a list of labels that are also the ids. */
function aDiagram(nodes: Record<string, string> | string[], edges: Edge[], caption = '図') {
  const entries = Array.isArray(nodes) ? nodes.map((label) => [label, label] as const) : Object.entries(nodes)
  return {
    caption,
    nodes: entries.map(([id, label]) => ({ id, label })),
    edges: edges.map(([from, to, label = null]) => ({ from, to, label })),
  }
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name) => ['g', 'tspan', 'path'].includes(name),
})

/** Draws a diagram, parses the drawing and checks everything that holds for all drawings. */
function drawn(diagram: ReturnType<typeof aDiagram>) {
  const svg = String(diagramSvg(diagram, 'd1'))
  expect(XMLValidator.validate(svg)).toBe(true)
  expect(svg).not.toMatch(/style=|<script|href|NaN|Infinity|undefined/)
  const root = parser.parse(svg).svg
  const groups = (name: string): Drawn[] => root.g.filter((group: Drawn) => group.class === name)
  const boxes = groups('node').map(({ rect }) => rect)
  for (const box of [...boxes, ...groups('edge-label').map(({ rect }) => rect)]) {
    expect(Number(box.x)).toBeGreaterThanOrEqual(0)
    expect(Number(box.y)).toBeGreaterThanOrEqual(0)
    expect(Number(box.x) + Number(box.width)).toBeLessThanOrEqual(Number(root.width))
    expect(Number(box.y) + Number(box.height)).toBeLessThanOrEqual(Number(root.height))
  }
  const linesOf = (name: string) => groups(name).map(({ text }) => text.tspan.map((line) => String(line['#text'])))
  return {
    svg,
    root,
    boxes,
    nodes: linesOf('node'),
    labels: linesOf('edge-label'),
    arrows: root.g[0].path?.length ?? 0,
  }
}

interface Drawn {
  class: string
  rect: Record<'x' | 'y' | 'width' | 'height', string>
  text: { tspan: { '#text': string }[] }
}

const cache = aDiagram(
  { a: 'リクエスト', b: 'キャッシュにあるか確認する', c: '保存済みの応答を返す', d: 'バックエンドへ問い合わせる' },
  [
    ['a', 'b'],
    ['b', 'c', 'ヒット'],
    ['b', 'd', 'ミス & 期限切れ'],
    ['d', 'c'],
  ],
  '**キャッシュ**の `get()` と <流れ>',
)

test('draws every node, arrow and label', () => {
  const { nodes, labels, arrows } = drawn(cache)
  expect(nodes.map((lines) => lines.join(''))).toEqual(cache.nodes.map(({ label }) => label))
  expect(labels).toEqual([['ヒット'], ['ミス & 期限切れ']])
  expect(arrows).toBe(4)
})

test('the drawing has a text alternative that describes the flow in words', () => {
  const flow = ['リクエスト → キャッシュにあるか確認する', 'キャッシュにあるか確認する → 保存済みの応答を返す: ヒット']
  expect(diagramText(cache).slice(0, 2)).toEqual(flow)
  const { root } = drawn(cache)
  expect(root).toMatchObject({ role: 'img', 'aria-labelledby': 'd1-title d1-desc' })
  expect(root.title).toEqual({ id: 'd1-title', '#text': 'キャッシュの get() と <流れ>' })
  expect(root.desc['#text']).toBe(diagramText(cache).join('; '))
})

const ys = (diagram: ReturnType<typeof aDiagram>) => new Set(drawn(diagram).boxes.map(({ y }) => y)).size
const xs = ({ boxes }: ReturnType<typeof drawn>) => boxes.map(({ x }) => Number(x))

test('draws a short chain from left to right and everything else from top to bottom', () => {
  const chain = (nodes: string[]) =>
    aDiagram(
      nodes,
      nodes.slice(1).map((to, i) => [nodes[i] ?? '', to]),
    )
  const row = drawn(chain(['取得', '検証', '保存']))
  expect(xs(row)).toEqual(xs(row).toSorted((a, b) => a - b))
  expect(ys(chain(['取得', '検証', '保存']))).toBe(1)
  expect(
    ys(
      aDiagram(
        ['保存', '検証', '取得'],
        [
          ['取得', '検証'],
          ['検証', '保存'],
        ],
      ),
    ),
  ).toBe(1)
  expect(ys(chain(['一', '二', '三', '四', '五']))).toBe(5)
  expect(ys(chain(['とても長い名前の手順を行う', '次', '終わり']))).toBe(3)
  expect(ys(chain(['リクエストを受信', '応答を検証する', '結果を保存する', '画面を更新する']))).toBe(4)
  expect(
    ys(
      aDiagram(
        ['一', '二', '三'],
        [
          ['一', '二'],
          ['二', '三'],
          ['三', '一'],
        ],
      ),
    ),
  ).toBe(3)
})

test('draws the branches of a flow side by side, in the order of the article', () => {
  const parallel = aDiagram(
    ['受信', '検索', '翻訳', '要約'],
    [
      ['受信', '検索'],
      ['受信', '翻訳'],
      ['受信', '要約'],
    ],
  )
  const [, ...alternatives] = xs(drawn(parallel))
  expect(alternatives).toEqual(alternatives.toSorted((a, b) => a - b))
})

test.each([
  ['保存済みの応答をそのまま返す', ['保存済みの', '応答をそのまま返す']],
  ['Client sends request with an expired token', ['Client sends request', 'with an expired token']],
  ['GENERATION_FAILED で終了', ['GENERATION_FAILED で', '終了']],
  ['src/writer/markup/renderMarkdownWithLinks.ts', ['src/writer/markup/', 'renderMarkdownWithLinks.ts']],
])('breaks the label %s between words', (label, expected) => {
  expect(drawn(aDiagram([label, 'b', 'c'], [[label, 'b']])).nodes[0]).toEqual(expected)
})

test('cuts a label after three lines, but puts the whole label into the text alternative', () => {
  for (const label of ['設定を読み込んで検証する'.repeat(10), 'x'.repeat(120), 'long words '.repeat(10).trim()]) {
    const { nodes, svg, boxes } = drawn(aDiagram([label, 'b', 'c'], [[label, 'b', label]]))
    expect(nodes[0]).toHaveLength(3)
    expect(nodes[0]?.at(-1)).toMatch(/…$/)
    expect(svg).toContain(`${label} → b: ${label}`)
    expect(Number(boxes[0]?.width)).toBeLessThan(280)
  }
})

test.each<[string, ReturnType<typeof aDiagram>, number]>([
  [
    'edges to unknown nodes',
    aDiagram(
      ['a', 'b', 'c'],
      [
        ['a', 'x'],
        ['x', 'b', 'y'],
        ['constructor', 'a'],
        ['a', 'b'],
      ],
    ),
    1,
  ],
  [
    'loops',
    aDiagram(
      ['a', 'b', 'c'],
      [
        ['a', 'a', 'もう一度'],
        ['a', 'a'],
        ['a', 'b'],
        ['b', 'c'],
      ],
    ),
    4,
  ],
  [
    'cycles',
    aDiagram(
      ['a', 'b', 'c'],
      [
        ['a', 'b'],
        ['b', 'c'],
        ['c', 'a', '再試行'],
        ['b', 'a'],
      ],
    ),
    4,
  ],
  [
    'several edges between two nodes',
    aDiagram(
      ['a', 'b', 'c'],
      [
        ['a', 'b', '一'],
        ['a', 'b', '二'],
        ['a', 'b'],
      ],
    ),
    3,
  ],
  ['no edges', aDiagram(['a', 'b', 'c'], []), 0],
  [
    'empty labels',
    aDiagram({ a: '', b: ' ', ' ': '' }, [
      ['a', 'b', ''],
      ['b', ' ', '  '],
    ]),
    2,
  ],
  [
    'HTML',
    aDiagram({ a: '<b>"a"</b>', b: "'&", c: '</text><script>' }, [
      ['a', 'b', '<i>'],
      ['b', 'c'],
    ]),
    2,
  ],
])('draws a diagram with %s', (_, diagram, arrows) => {
  const result = drawn(diagram)
  expect(result.nodes).toHaveLength(3)
  expect(result.arrows).toBe(arrows)
})

test('draws nodes with the same id as separate boxes', () => {
  const diagram = { caption: '', nodes: ['一', '二', '三'].map((label) => ({ id: 'a', label })), edges: [] }
  expect(drawn(diagram).nodes).toEqual([['一'], ['二'], ['三']])
  expect(diagramText({ ...diagram, edges: [{ from: 'a', to: 'a', label: null }] })).toEqual(['一 → 一', '二', '三'])
})

test('draws nothing if the diagram has no nodes', () => {
  expect(String(diagramSvg({ caption: '', nodes: [], edges: [] }, 'd1'))).toBe('')
})

test('removes invisible characters from labels', () => {
  const { nodes } = drawn(aDiagram({ a: 'a\u202Eb\u200B', b: 'c\n d', c: 'e' }, [['a', 'b']]))
  expect(nodes).toEqual([['ab'], ['c d'], ['e']])
})

test('draws any diagram that the contract allows, in less than 50 ms on average', () => {
  const cpuMs = () => (({ user, system }) => (user + system) / 1000)(process.threadCpuUsage())
  const random = seededRandom(22)
  const below = (max: number) => Math.floor(random() * max)
  const letters = [...'設定を読みaB_/ .「」、ー👩‍👩‍👧']
  const text = () => Array.from({ length: 1 + below(40) }, () => pick(random, letters)).join('')
  const DIAGRAMS = 60
  drawn(cache)
  let totalMs = 0
  for (let i = 0; i < DIAGRAMS; i++) {
    const count = 3 + below(5)
    const nodes = Object.fromEntries(Array.from({ length: count }, (_, id) => [`${id}`, text()]))
    const end = () => String(below(count))
    const edges = Array.from({ length: 12 }, (): Edge => (below(2) ? [end(), end()] : [end(), end(), text()]))
    const diagram = aDiagram(nodes, edges)
    const startedAt = cpuMs()
    diagramSvg(diagram, 'd1')
    totalMs += cpuMs() - startedAt
    expect(drawn(diagram).arrows).toBe(12)
  }
  // Checks the average, because garbage collection or a busy machine may slow down any single diagram.
  expect(totalMs / DIAGRAMS).toBeLessThan(50)
})

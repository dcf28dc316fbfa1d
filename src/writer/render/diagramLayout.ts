import { Graph, layout } from '@dagrejs/dagre'
import type { Flow } from './diagramFlow.ts'
import { arrowPaths, type Link, loopPath, type Point, rowPath, type Size } from './diagramPaths.ts'
import { widthOf, wrapLabel } from './wrapLabel.ts'

export const NODE_TEXT = { size: 15, lineHeight: 21, widths: [10, 11, 16] }
export const EDGE_TEXT = { size: 13, lineHeight: 18, widths: [9, 10, 14] }
export type TextSize = typeof NODE_TEXT

const NODE_PADDING = { x: 16, y: 11 }
const EDGE_PADDING = { x: 6, y: 2 }
const MARGIN = 4
/** The largest row. A wider one would be scaled down on a phone, where its text would have less than 10 px. */
const MAX_ROW = { nodes: 4, width: 480 }

export interface Box extends Point, Size {
  lines: string[]
}

interface Edge extends Box {
  points: Point[]
}

export interface Layout extends Size {
  nodes: Box[]
  /** SVG path data. */
  arrows: string[]
  arrowLabels: Box[]
}

/** Lays out a short chain as a row. Any other flow goes from top to bottom, which also fits a phone. */
export function layoutOf(flow: Flow): Layout {
  if (isShortChain(flow)) {
    const row = arranged(flow, 'LR')
    if (row.width <= MAX_ROW.width) return row
  }
  return arranged(flow, 'TB')
}

function isShortChain({ labels, steps }: Flow): boolean {
  if (labels.length > MAX_ROW.nodes || labels.some((label) => wrapLabel(label, NODE_TEXT.widths).length > 1))
    return false
  const next = new Map(steps.map(({ from, to }) => [from, to]))
  const start = labels.findIndex((_, i) => !steps.some(({ to }) => to === i))
  let reached = 0
  for (let at: number | undefined = start; at !== undefined && reached <= labels.length; at = next.get(at)) reached += 1
  return reached === labels.length && steps.length === labels.length - 1
}

function arranged({ labels, steps }: Flow, rankdir: 'LR' | 'TB'): Layout {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({
    rankdir,
    nodesep: 28,
    edgesep: 24,
    ranksep: rankdir === 'LR' ? 40 : 48,
    marginx: MARGIN,
    marginy: MARGIN,
  })
  for (const [i, label] of labels.entries()) graph.setNode(String(i), boxOf(label, NODE_TEXT, NODE_PADDING))
  for (const [i, { from, to, label }] of steps.entries()) {
    const box = label ? boxOf(label, EDGE_TEXT, EDGE_PADDING) : { width: 0, height: 0 }
    graph.setEdge(String(from), String(to), { ...box, labelpos: 'c' }, String(i))
  }
  layout(graph)
  const { width, height } = graph.graph()
  const nodes: Box[] = labels.map((_, i) => graph.node(String(i)))
  const edges: Edge[] = steps.map(({ from, to }, i) => graph.edge(String(from), String(to), String(i)))
  if (rankdir === 'TB' && readsBackwards(nodes))
    for (const at of [...nodes, ...edges, ...edges.flatMap((edge) => edge.points)]) at.x = width - at.x
  const links = edges.flatMap((edge, i) => {
    const [source, target] = [nodes[steps[i]?.from ?? -1], nodes[steps[i]?.to ?? -1]]
    const label = steps[i]?.label ? edge : null
    return source && target ? [{ edge, source, target, waypoints: edge.points.slice(1, -1), label }] : []
  })
  const [loops, others] = [links.filter(isLoop), links.filter((link) => !isLoop(link))]
  const arrows = [
    ...loops.map(({ source, edge }) => loopPath(source, edge.x - (Math.sign(edge.x - source.x) * edge.width) / 2)),
    ...(rankdir === 'LR' ? others.map(({ source, target }) => rowPath(source, target)) : arrowPaths(others)),
  ]
  return { width, height, nodes, arrows, arrowLabels: links.flatMap(({ label }) => label ?? []) }
}

function isLoop({ source, target }: Link): boolean {
  return source === target
}

/** Whether most pairs of nodes at the same height are in the reverse of their order in the article. */
function readsBackwards(nodes: Box[]): boolean {
  const pairs = nodes.flatMap((left, i) =>
    nodes
      .slice(i + 1)
      .filter(({ y }) => y === left.y)
      .map(({ x }) => left.x - x),
  )
  return pairs.filter((difference) => difference > 0).length > pairs.length / 2
}

function boxOf(label: string, { size, lineHeight, widths }: TextSize, padding: Point) {
  const lines = wrapLabel(label, widths)
  const width = Math.max(...lines.map(widthOf)) * size + 2 * padding.x
  return { lines, width, height: lines.length * lineHeight + 2 * padding.y }
}

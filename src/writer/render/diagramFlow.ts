import type { Diagram } from '../draft.ts'
import { withoutInvisible } from '../reading/visible.ts'

export interface Flow {
  labels: string[]
  /** `from` and `to` are indexes into `labels`. */
  steps: { from: number; to: number; label: string }[]
}

/** Drops edges whose nodes do not exist. If several nodes have the same id, edges lead to the first of them. */
export function flowOf({ nodes, edges }: Diagram): Flow {
  const clean = (text: string | null) =>
    withoutInvisible(text ?? '')
      .replace(/\s+/g, ' ')
      .trim()
  const indexes = new Map(nodes.map(({ id }, i) => [id, i] as const).toReversed())
  const steps = edges.flatMap((edge) => {
    const [from, to] = [indexes.get(edge.from), indexes.get(edge.to)]
    return from === undefined || to === undefined ? [] : [{ from, to, label: clean(edge.label) }]
  })
  return { labels: nodes.map(({ id, label }) => clean(label) || clean(id) || '?'), steps }
}

/** The flow in words, such as "A → B: label". */
export function diagramText(diagram: Diagram): string[] {
  const { labels, steps } = flowOf(diagram)
  const alone = labels.filter((_, i) => !steps.some(({ from, to }) => from === i || to === i))
  return [
    ...steps.map(({ from, to, label }) => `${labels[from]} → ${labels[to]}${label ? `: ${label}` : ''}`),
    ...alone,
  ]
}

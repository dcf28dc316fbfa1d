import { clip } from '../../lib/clip.ts'
import { MAX_CHARACTERS, MAX_ITEMS, MIN_ITEMS } from '../contractLimits.ts'
import type { Diagram, Term } from '../draft.ts'
import type { CheckContext, Item } from './checkContext.ts'
import { cleanText } from './checkMarkdown.ts'
import { formErrors, textErrors } from './checkText.ts'

/** Checks a diagram. It must have a few nodes, each with an edge to another node. */
export async function checkDiagram(diagram: Diagram, context: CheckContext): Promise<Item<Diagram>> {
  const nodes = diagram.nodes.map(({ id, label }) => ({ id: idOf(id), label: plain(label) }))
  const edges = diagram.edges.map(({ from, to, label }) => ({
    from: idOf(from),
    to: idOf(to),
    label: label === null ? null : plain(label) || null,
  }))
  const ids = new Set(nodes.map(({ id }) => id))
  const labels = [...nodes, ...edges].map(({ label }) => label ?? '')
  const caption = clip(cleanText(diagram.caption), MAX_CHARACTERS.diagramCaption).text
  const errors = await textErrors(caption, context)
  const linked = new Set(edges.flatMap(({ from, to }) => (from === to ? [] : [from, to])))
  if (nodes.length < MIN_ITEMS.nodes || nodes.length > MAX_ITEMS.nodes || ids.size !== nodes.length || ids.has(''))
    errors.push(`a diagram has ${MIN_ITEMS.nodes} to ${MAX_ITEMS.nodes} nodes, each with an id of its own`)
  if (edges.length < MIN_ITEMS.edges || edges.length > MAX_ITEMS.edges)
    errors.push(`a diagram has ${MIN_ITEMS.edges} to ${MAX_ITEMS.edges} edges`)
  if (edges.some(({ from, to }) => from === to || !ids.has(from) || !ids.has(to)))
    errors.push('the edges of a diagram lead from one of its nodes to another')
  if (nodes.some(({ id }) => !linked.has(id))) errors.push('a node of the diagram has no edge')
  const isLong = ({ label }: { label: string | null }, max: number) => label !== null && label.length > max
  if (
    nodes.some((node) => node.label === '' || isLong(node, MAX_CHARACTERS.nodeLabel)) ||
    edges.some((edge) => isLong(edge, MAX_CHARACTERS.edgeLabel))
  )
    errors.push('a label of the diagram is empty or too long')
  errors.push(...labels.flatMap((label) => formErrors(label, context)))
  return { proven: errors.length > 0 ? null : { caption, nodes, edges }, errors: [...new Set(errors)] }
}

export async function checkTerm({ term, meaning }: Term, context: CheckContext): Promise<Item<Term>> {
  const checked = { term: plain(term), meaning: cleanText(meaning) }
  const errors = [...formErrors(checked.term, context), ...(await textErrors(checked.meaning, context))]
  if (checked.term === '' || checked.meaning === '') errors.push('it is empty')
  if (checked.term.length > MAX_CHARACTERS.term || checked.meaning.length > MAX_CHARACTERS.meaning)
    errors.push('it is too long')
  return { proven: errors.length > 0 ? null : checked, errors }
}

function idOf(text: string): string {
  return clip(text.trim(), MAX_CHARACTERS.nodeId).text
}

/** Removes code spans from a label, because an SVG shows plain text. */
function plain(text: string): string {
  return cleanText(text).replaceAll('`', '').replace(/\s+/g, ' ')
}

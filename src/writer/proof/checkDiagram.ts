import type { Diagram, Term } from '../draft.ts'
import { cleanText } from './checkMarkdown.ts'
import { formErrors, textErrors } from './checkText.ts'
import type { Item, Standards } from './standards.ts'

const MAX_LABEL = 120
const MAX_CAPTION = 400
const MAX_EDGES = 12

/** A diagram of three to seven connected nodes. */
export async function checkDiagram(diagram: Diagram, standards: Standards): Promise<Item<Diagram>> {
  const nodes = diagram.nodes.map(({ id, label }) => ({ id: id.trim().slice(0, 40), label: plain(label) }))
  const edges = diagram.edges.map(({ from, to, label }) => ({
    from: from.trim().slice(0, 40),
    to: to.trim().slice(0, 40),
    label: label === null ? null : plain(label) || null,
  }))
  const ids = new Set(nodes.map(({ id }) => id))
  const labels = [...nodes, ...edges].map(({ label }) => label ?? '')
  const caption = cleanText(diagram.caption).slice(0, MAX_CAPTION).toWellFormed()
  const errors = await textErrors(caption, standards)
  if (nodes.length < 3 || nodes.length > 7 || ids.size !== nodes.length)
    errors.push('a diagram has three to seven nodes, each with an id of its own')
  if (edges.length < 2 || edges.length > MAX_EDGES || edges.some(({ from, to }) => !ids.has(from) || !ids.has(to)))
    errors.push('the edges of a diagram lead from one of its nodes to another')
  if (nodes.some(({ label }) => label === '') || labels.some((label) => label.length > MAX_LABEL))
    errors.push('a label of the diagram is empty or too long')
  errors.push(...labels.flatMap((label) => formErrors(label, standards)))
  return { proven: errors.length > 0 ? null : { caption, nodes, edges }, errors: [...new Set(errors)] }
}

export async function checkTerm({ term, meaning }: Term, standards: Standards): Promise<Item<Term>> {
  const checked = { term: plain(term), meaning: cleanText(meaning) }
  const errors = [...formErrors(checked.term, standards), ...(await textErrors(checked.meaning, standards))]
  if (checked.term === '' || checked.meaning === '') errors.push('it is empty')
  if (checked.term.length > 100 || checked.meaning.length > 400) errors.push('it is too long')
  return { proven: errors.length > 0 ? null : checked, errors }
}

/** Labels hold no code spans: an SVG shows plain text. */
function plain(text: string): string {
  return cleanText(text).replaceAll('`', '').replace(/\s+/g, ' ')
}

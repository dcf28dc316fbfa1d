import type { LinkedDraft } from './content.ts'
import type { TextField } from './contractLimits.ts'

/** Receives a text with its key, which is unique in the article, and returns its replacement. */
type Visit = (key: string, text: string, field: TextField) => string

type Figure = LinkedDraft['mainChanges'][number]['figures'][number]

/** A copy of an article in which `visit` replaces every prose text. Code, citations and quotes stay as they are. */
export function mapTexts(article: LinkedDraft, visit: Visit): LinkedDraft {
  const { lead, impact, diagram } = article
  const reasons = article.reasons.map((reason, i) => ({
    ...reason,
    text: visit(`reason${i + 1}`, reason.text, 'reason'),
  }))
  return {
    ...article,
    aiGeneratedTitle: visit('title', article.aiGeneratedTitle, 'title'),
    lead: lead && { ...lead, text: visit('lead', lead.text, 'lead') },
    impact: impact && {
      ...impact,
      affected: visit('impact_affected', impact.affected, 'affected'),
      reason: visit('impact_reason', impact.reason, 'impactReason'),
      action: optional('impact_action', impact.action, 'action', visit),
    },
    reasons,
    backgroundAndPurpose:
      reasons.length > 0
        ? reasons.map(({ text }) => text).join('\n\n')
        : optional('background', article.backgroundAndPurpose, 'background', visit),
    mainChanges: article.mainChanges.map((change, i) => ({
      ...change,
      heading: optional(`section${i + 1}_heading`, change.heading, 'heading', visit),
      description: visit(`section${i + 1}_text`, change.description, 'description'),
      figures: change.figures.map((figure, j) => mapFigure(figure, `section${i + 1}_figure${j + 1}`, visit)),
    })),
    diagram: diagram && {
      caption: nonEmpty('diagram_caption', diagram.caption, 'diagramCaption', visit),
      nodes: diagram.nodes.map((node, i) => ({
        ...node,
        label: visit(`diagram_node${i + 1}`, node.label, 'nodeLabel'),
      })),
      edges: diagram.edges.map((edge, i) => ({
        ...edge,
        label: optional(`diagram_edge${i + 1}`, edge.label, 'edgeLabel', visit),
      })),
    },
    notablePoints: article.notablePoints.map((point, i) => ({
      ...point,
      point: visit(`point${i + 1}`, point.point, 'point'),
    })),
    mismatches: article.mismatches.map((mismatch, i) => ({
      ...mismatch,
      text: visit(`mismatch${i + 1}`, mismatch.text, 'mismatch'),
    })),
    terms: article.terms.map(({ term, meaning }, i) => ({
      term: visit(`term${i + 1}`, term, 'term'),
      meaning: visit(`term${i + 1}_meaning`, meaning, 'meaning'),
    })),
  }
}

function mapFigure(figure: Figure, key: string, visit: Visit): Figure {
  if (figure.kind === 'code')
    return { ...figure, caption: nonEmpty(`${key}_caption`, figure.caption, 'codeCaption', visit) }
  if (figure.kind === 'example') return { ...figure, note: nonEmpty(`${key}_note`, figure.note, 'exampleNote', visit) }
  return {
    ...figure,
    caption: nonEmpty(`${key}_caption`, figure.caption, 'tableCaption', visit),
    columns: figure.columns.map((cell, i) => nonEmpty(`${key}_column${i + 1}`, cell, 'column', visit)),
    rows: figure.rows.map((row, i) =>
      row.map((cell, j) => nonEmpty(`${key}_row${i + 1}_cell${j + 1}`, cell, 'cell', visit)),
    ),
  }
}

function optional(key: string, text: string | null, field: TextField, visit: Visit): string | null {
  return text === null || text === '' ? text : visit(key, text, field)
}

function nonEmpty(key: string, text: string, field: TextField, visit: Visit): string {
  return text === '' ? text : visit(key, text, field)
}

/** Every text of an article by its key. */
export function textsOf(article: LinkedDraft): [key: string, text: string, field: TextField][] {
  const texts: [string, string, TextField][] = []
  mapTexts(article, (key, text, field) => {
    texts.push([key, text, field])
    return text
  })
  return texts
}

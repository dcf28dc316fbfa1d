import type { TiedDraft } from './content.ts'

/** Receives a text with its key and returns its replacement. */
type Visit = (key: string, text: string) => string

type Figure = TiedDraft['mainChanges'][number]['figures'][number]

/** A copy of an article with every text of prose replaced. Code, citations and quotes stay as they are. */
export function mapTexts(article: TiedDraft, visit: Visit): TiedDraft {
  const { lead, impact, diagram } = article
  const reasons = article.reasons.map((reason, i) => ({ ...reason, text: visit(`reason${i + 1}`, reason.text) }))
  return {
    ...article,
    aiGeneratedTitle: visit('title', article.aiGeneratedTitle),
    lead: lead && { ...lead, text: visit('lead', lead.text) },
    impact: impact && {
      ...impact,
      affected: visit('impact_affected', impact.affected),
      reason: visit('impact_reason', impact.reason),
      action: optional('impact_action', impact.action, visit),
    },
    reasons,
    backgroundAndPurpose:
      reasons.length > 0
        ? reasons.map(({ text }) => text).join('\n\n')
        : optional('background', article.backgroundAndPurpose, visit),
    mainChanges: article.mainChanges.map((change, i) => ({
      ...change,
      heading: optional(`section${i + 1}_heading`, change.heading, visit),
      description: visit(`section${i + 1}_text`, change.description),
      figures: change.figures.map((figure, j) => mapFigure(figure, `section${i + 1}_figure${j + 1}`, visit)),
    })),
    diagram: diagram && {
      caption: nonEmpty('diagram_caption', diagram.caption, visit),
      nodes: diagram.nodes.map((node, i) => ({ ...node, label: visit(`diagram_node${i + 1}`, node.label) })),
      edges: diagram.edges.map((edge, i) => ({ ...edge, label: optional(`diagram_edge${i + 1}`, edge.label, visit) })),
    },
    notablePoints: article.notablePoints.map((point, i) => ({ ...point, point: visit(`point${i + 1}`, point.point) })),
    mismatches: article.mismatches.map((mismatch, i) => ({
      ...mismatch,
      text: visit(`mismatch${i + 1}`, mismatch.text),
    })),
    terms: article.terms.map(({ term, meaning }, i) => ({
      term: visit(`term${i + 1}`, term),
      meaning: visit(`term${i + 1}_meaning`, meaning),
    })),
  }
}

function mapFigure(figure: Figure, key: string, visit: Visit): Figure {
  const { code, example, table } = figure
  return {
    ...figure,
    code: code && { ...code, caption: nonEmpty(`${key}_caption`, code.caption, visit) },
    example: example && { ...example, note: nonEmpty(`${key}_note`, example.note, visit) },
    table: table && {
      caption: nonEmpty(`${key}_caption`, table.caption, visit),
      columns: table.columns.map((cell, i) => nonEmpty(`${key}_column${i + 1}`, cell, visit)),
      rows: table.rows.map((row, i) => row.map((cell, j) => nonEmpty(`${key}_row${i + 1}_cell${j + 1}`, cell, visit))),
    },
  }
}

function optional(key: string, text: string | null, visit: Visit): string | null {
  return text === null || text === '' ? text : visit(key, text)
}

function nonEmpty(key: string, text: string, visit: Visit): string {
  return text === '' ? text : visit(key, text)
}

/** Every text of an article by its key. */
export function textsOf(article: TiedDraft): [key: string, text: string][] {
  const texts: [string, string][] = []
  mapTexts(article, (key, text) => {
    texts.push([key, text])
    return text
  })
  return texts
}

import { contract } from '../contract.ts'

interface Bounded {
  maxLength?: number
  minItems?: number
  maxItems?: number
  items?: Bounded
  properties?: Record<string, Bounded>
}

/** The maximum number of characters of each text of an article. */
export const MAX_CHARACTERS = limitsOf('maxLength', {
  title: 'ArticleTitle',
  lead: 'Lead.text',
  affected: 'Impact.affected',
  impactReason: 'Impact.reason',
  action: 'Impact.action',
  since: 'Impact.since',
  reason: 'Reason.text',
  quote: 'Source.quote',
  background: 'ArticleContent.backgroundAndPurpose',
  heading: 'MainChange.heading',
  description: 'MainChange.description',
  codeCaption: 'CodeFigure.caption',
  exampleLanguage: 'ExampleFigure.codeLanguage',
  exampleText: 'ExampleFigure.text',
  exampleNote: 'ExampleFigure.note',
  tableCaption: 'TableFigure.caption',
  column: 'TableFigure.columns.items',
  cell: 'TableFigure.rows.items.items',
  diagramCaption: 'Diagram.caption',
  nodeId: 'DiagramNode.id',
  nodeLabel: 'DiagramNode.label',
  edgeLabel: 'DiagramEdge.label',
  point: 'NotablePoint.point',
  mismatch: 'Mismatch.text',
  term: 'Term.term',
  meaning: 'Term.meaning',
})

export type TextField = keyof typeof MAX_CHARACTERS

export const MAX_ITEMS = limitsOf('maxItems', {
  evidence: 'MainChange.evidence',
  sources: 'Reason.sources',
  ranges: 'CodeSide.ranges',
  columns: 'TableFigure.columns',
  rows: 'TableFigure.rows',
  nodes: 'Diagram.nodes',
  edges: 'Diagram.edges',
  mismatches: 'ArticleContent.mismatches',
})

export const MIN_ITEMS = limitsOf('minItems', {
  columns: 'TableFigure.columns',
  rows: 'TableFigure.rows',
  nodes: 'Diagram.nodes',
  edges: 'Diagram.edges',
})

function limitsOf<Name extends string>(
  limit: 'maxLength' | 'minItems' | 'maxItems',
  paths: Record<Name, string>,
): Record<Name, number> {
  const limits = Object.entries<string>(paths).map(([name, path]) => {
    const value = fieldAt(path)?.[limit]
    if (value === undefined) throw new Error(`openapi.yaml has no ${limit} of ${path}`)
    return [name, value]
  })
  return Object.fromEntries(limits)
}

function fieldAt(path: string): Bounded | undefined {
  const [schema = '', ...fields] = path.split('.')
  return fields.reduce<Bounded | undefined>(
    (found, field) => (field === 'items' ? found?.items : found?.properties?.[field]),
    contract.components.schemas[schema],
  )
}

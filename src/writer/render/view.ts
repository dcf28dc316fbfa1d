import type { SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../generated/api.ts'

type Schemas = components['schemas']
export type CodeFigure = Schemas['CodeFigure']
export type CodeSide = Schemas['CodeSide']
export type ExampleFigure = Schemas['ExampleFigure']
export type TableFigure = Schemas['TableFigure']

/** Renders figures: for our pages or for feeds. */
export interface View {
  code: (figure: CodeFigure) => SafeHtml
  example: (figure: ExampleFigure) => SafeHtml
  table: (figure: TableFigure) => SafeHtml
  diagram: (diagram: Schemas['Diagram']) => SafeHtml
}

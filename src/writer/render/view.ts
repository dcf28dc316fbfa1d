import type { SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'

type Figure = StoredContent['mainChanges'][number]['figures'][number]
export type CodeFigure = NonNullable<Figure['code']>
export type CodeSide = NonNullable<CodeFigure['before']>
export type ExampleFigure = NonNullable<Figure['example']>
export type TableFigure = NonNullable<Figure['table']>

/** Renders figures: for our pages or for feeds. */
export interface View {
  code: (figure: CodeFigure) => SafeHtml
  example: (figure: ExampleFigure) => SafeHtml
  table: (figure: TableFigure) => SafeHtml
  diagram: (diagram: NonNullable<StoredContent['diagram']>) => SafeHtml
}

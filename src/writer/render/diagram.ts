import { html, type SafeHtml } from '@remix-run/html-template'
import type { Diagram } from '../draft.ts'
import { withoutInvisible } from '../reading/visible.ts'
import { diagramText, flowOf } from './diagramFlow.ts'
import { type Box, EDGE_TEXT, layoutOf, NODE_TEXT, type TextSize } from './diagramLayout.ts'
import { rounded } from './diagramPaths.ts'
import { proseText } from './renderMarkdown.ts'

const MAX_TITLE_CHARACTERS = 400

/**
 * Draws a flow as SVG. Its colors come from classes, because the content security policy forbids inline styles; the
 * attributes fill and stroke keep it readable without the stylesheet of the page.
 */
export function diagramSvg(diagram: Diagram, id: string): SafeHtml {
  const flow = flowOf(diagram)
  if (flow.labels.length === 0) return html``
  const layout = layoutOf(flow)
  const [width, height] = [Math.ceil(layout.width), Math.ceil(layout.height)]
  const arrowHead = html`<marker id="${id}-arrow" class="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="10" markerHeight="10" markerUnits="userSpaceOnUse" orient="auto"><path d="M1 1 9 5 1 9z"/></marker>`
  return html`<svg class="diagram" role="img" aria-labelledby="${id}-title ${id}-desc" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" text-anchor="middle" fill="currentColor"><title id="${id}-title">${withoutInvisible(proseText(diagram.caption, MAX_TITLE_CHARACTERS))}</title><desc id="${id}-desc">${diagramText(diagram).join('; ')}</desc>${arrowHead}<g fill="none" stroke="currentColor">${layout.arrows.map(
    (path) => html`<path class="edge" d="${path}" marker-end="url(#${id}-arrow)"/>`,
  )}</g>${layout.arrowLabels.map((box) => labelled(box, 'edge-label', EDGE_TEXT))}${layout.nodes.map((box) => labelled(box, 'node', NODE_TEXT))}</svg>`
}

function labelled({ x, y, width, height, lines }: Box, name: string, { size, lineHeight }: TextSize): SafeHtml {
  // The baseline of a line is about a third of the font size below the middle of the line.
  const first = y - ((lines.length - 1) * lineHeight) / 2 + size * 0.36
  return html`<g class="${name}"><rect x="${rounded(x - width / 2)}" y="${rounded(y - height / 2)}" width="${rounded(width)}" height="${rounded(height)}" rx="6" fill="none"/><text font-size="${size}">${lines.map(
    (line, i) => html`<tspan x="${rounded(x)}" y="${rounded(first + i * lineHeight)}">${line}</tspan>`,
  )}</text></g>`
}

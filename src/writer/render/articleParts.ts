import { html, type SafeHtml } from '@remix-run/html-template'
import type { StoredContent } from '../content.ts'
import { visibleLine, withoutInvisible } from '../reading/visible.ts'
import { citationLinks } from './citationLinks.ts'
import { claim, quotation, type TextRenderers } from './claim.ts'
import { labelsFor } from './labels.ts'
import { codeSpan, phraseWith, proseWith, titleHtml, webAddress } from './renderMarkdown.ts'
import type { View } from './view.ts'

type Change = StoredContent['mainChanges'][number]
type Impact = NonNullable<StoredContent['impact']>

/** A part of an article. Lead and impact have neither id nor heading. */
export interface ArticlePart {
  id: string | null
  heading: SafeHtml | null
  html: SafeHtml
}

/** The HTML of an article in the order of reading. Outlines have a background instead of reasons. */
export function articleParts(content: StoredContent, language: string, hostPrUrl: string, view: View): ArticlePart[] {
  const labels = labelsFor(language)
  const { host } = new URL(hostPrUrl)
  const cite = citationLinks(content, labels.evidence)
  const renderers: TextRenderers = { labels, prose: proseWith(host), phrase: phraseWith(host), cite }
  const { lead, impact, diagram } = content
  return [
    ...(lead ? [untitled(html`<div class="lead">${claim(lead.text, lead, renderers)}</div>`)] : []),
    ...(impact ? [untitled(impactBox(impact, renderers))] : []),
    ...why(content, renderers),
    ...(diagram ? [part('flow', labels.diagram, view.diagram(diagram))] : []),
    ...changes(content, renderers, view),
    ...points(content, renderers),
    ...mismatches(content, renderers),
    ...terms(content, renderers),
  ]
}

function untitled(body: SafeHtml): ArticlePart {
  return { id: null, heading: null, html: html`${body}\n` }
}

function part(id: string, heading: SafeHtml | string, body: SafeHtml): ArticlePart {
  const title = html`${heading}`
  return { id, heading: title, html: html`<section><h2 id="${id}">${title}</h2>\n${body}</section>\n` }
}

function impactBox(impact: Impact, { labels, phrase, cite }: TextRenderers): SafeHtml {
  const { affected, compatibility, reason, action, since, evidence } = impact
  const rows: [string, SafeHtml | string][] = [
    [labels.affected, phrase(affected)],
    [labels.compatibility, html`<b>${labels.compatibilities[compatibility]}</b> ${phrase(reason)}${cite(evidence)}`],
    [labels.action, action === null ? labels.noAction : phrase(action)],
    // The release may be the title of a milestone, which is not Markdown.
    ...(since === null ? [] : [[labels.since, withoutInvisible(since)] satisfies [string, string]]),
  ]
  const list = rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)
  return html`<section class="impact ${compatibility}" aria-label="${labels.impact}"><dl>\n${list}</dl></section>`
}

function why({ reasons, backgroundAndPurpose }: StoredContent, renderers: TextRenderers): ArticlePart[] {
  const { labels, prose } = renderers
  const told = reasons.map((reason) => claim(reason.text, reason, renderers))
  // Show the quotes together at the end, because between the reasons they would interrupt the text.
  const quotes = reasons.flatMap(({ sources }) =>
    sources.map(({ kind, quote, url }) =>
      quotation(quote, html`<a href="${webAddress(url)}" rel="external">${labels.sources[kind]}</a>`),
    ),
  )
  if (told.length > 0) return [part('why', labels.why, html`${told}${quotes}`)]
  return backgroundAndPurpose ? [part('why', labels.background, prose(backgroundAndPurpose))] : []
}

function changes({ mainChanges }: StoredContent, renderers: TextRenderers, view: View): ArticlePart[] {
  const { labels } = renderers
  return mainChanges.map((change, i) => {
    const file = codeSpan(visibleLine(change.fileName))
    const types = change.changeTypes.map((type) => html` <span>${labels.changeTypes[type]}</span>`)
    const meta = html`<p class="where">${file}${types}</p>\n`
    const figures = change.figures.map((figure) => figureOf(figure, view))
    const body = html`${meta}${claim(change.description, change, renderers)}${figures}`
    return part(`s${i + 1}`, titleHtml(change.heading ?? ''), body)
  })
}

function figureOf(figure: Change['figures'][number], view: View): SafeHtml {
  if (figure.kind === 'code') return view.code(figure)
  return figure.kind === 'example' ? view.example(figure) : view.table(figure)
}

function points({ notablePoints }: StoredContent, renderers: TextRenderers): ArticlePart[] {
  if (notablePoints.length === 0) return []
  const { labels } = renderers
  const items = notablePoints.map((point) => {
    const categories = point.categories.map((category) => labels.categories[category]).join(' · ')
    return html`<li><p class="category">${categories}</p>${claim(point.point, point, renderers)}</li>\n`
  })
  return [part('points', labels.cautions, html`<ol class="points">\n${items}</ol>`)]
}

function mismatches({ mismatches: found }: StoredContent, renderers: TextRenderers): ArticlePart[] {
  if (found.length === 0) return []
  const { labels } = renderers
  const items = found.map(
    (mismatch) =>
      html`${quotation(mismatch.quote, labels.sources.description)}${claim(mismatch.text, mismatch, renderers)}`,
  )
  return [part('mismatches', labels.mismatches, html`${items}`)]
}

function terms({ terms: list }: StoredContent, { labels, phrase }: TextRenderers): ArticlePart[] {
  if (list.length === 0) return []
  const items = list.map(({ term, meaning }) => html`<div><dt>${phrase(term)}</dt><dd>${phrase(meaning)}</dd></div>\n`)
  return [part('terms', labels.terms, html`<dl class="terms">\n${items}</dl>`)]
}

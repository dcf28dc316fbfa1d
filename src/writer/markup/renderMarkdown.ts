import { html, type SafeHtml } from '@remix-run/html-template'
import MarkdownIt, { type Token } from 'markdown-it'
import { ownHref } from '../ownHref.ts'

/** Characters that turn the order of what is read around them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g

const prose = restricted()
/** Titles hold code spans; anything else in them is text, such as `__init__` or `a*b*c`. */
const titles = new MarkdownIt('zero').enable('backticks')

/** Restricted Markdown as HTML: nothing in it can load or run anything, and links lead to one host alone. */
export function proseWith(host: string): (text: string) => SafeHtml {
  const markdown = restricted()
  markdown.normalizeLink = (text) => ownHref(text, host) ?? ''
  markdown.validateLink = (text) => text !== ''
  return (text) => html.raw`${markdown.render(withoutTurning(text))}`
}

/** A title for a heading or a link. */
export function titleHtml(title: string): SafeHtml {
  return html.raw`${titles.renderInline(withoutTurning(title))}`
}

/** A title where only plain text can be shown. */
export function titleText(title: string): string {
  return textOf(titles.parseInline(withoutTurning(title), {})).trim()
}

/** The beginning of restricted Markdown as plain text on one line. Of a longer text, no more is parsed than is needed. */
export function proseText(text: string, longest: number): string {
  return textOf(prose.parse(withoutTurning(text.slice(0, 3 * longest)), {}))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}

/** An address that a browser only ever goes to. */
export function webAddress(text: string): string {
  return isWebAddress(text) ? text : '#'
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

function restricted() {
  return new MarkdownIt({ html: false }).disable(['image', 'reference', 'table', 'heading', 'lheading'])
}

function textOf(tokens: Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (children) return `${textOf(children)} `
      return type === 'softbreak' || type === 'hardbreak' ? ' ' : content
    })
    .join('')
}

function withoutTurning(text: string): string {
  return text.replace(TURNING, '')
}

import { html, type SafeHtml } from '@remix-run/html-template'
import MarkdownIt from 'markdown-it'

/** Characters that turn the order of what is read around them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g

/** Restricted Markdown as HTML: nothing in it can load or run anything, and links lead to one host alone. */
export function proseWith(host: string): (text: string) => SafeHtml {
  const markdown = new MarkdownIt({ html: false }).disable(['image', 'reference', 'table', 'heading', 'lheading'])
  markdown.validateLink = (text) => isWebAddress(text) && URL.parse(text)?.host === host
  return (text) => html.raw`${markdown.render(text.replace(TURNING, ''))}`
}

/** An address that a browser only ever goes to. */
export function webAddress(text: string): string {
  return isWebAddress(text) ? text : '#'
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** Restricted Markdown as it would be read out, on one line. */
export function withoutMarkdown(text: string): string {
  return plain(text.replace(/[*`_]/g, '').replace(/\s+/g, ' '))
}

/** One line of text, such as a title. */
export function plain(text: string): string {
  return text.replace(TURNING, '')
}

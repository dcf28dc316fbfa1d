import { html, type SafeHtml } from '@remix-run/html-template'
import MarkdownIt from 'markdown-it'

/** Characters that turn the order of what is read around them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g

const markdown = new MarkdownIt({ html: false }).disable(['image', 'reference', 'table', 'heading', 'lheading'])
markdown.validateLink = isWebAddress

/** Restricted Markdown as HTML: nothing in it can load or run anything. */
export function prose(text: string): SafeHtml {
  return html.raw`${markdown.render(text.replace(TURNING, ''))}`
}

/** An address that a browser only ever goes to. */
export function webAddress(text: string): string {
  return isWebAddress(text) ? text : '#'
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** One line of text, such as a title. */
export function plain(text: string): string {
  return text.replace(TURNING, '')
}

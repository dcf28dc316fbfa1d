import { html, type SafeHtml } from '@remix-run/html-template'
import { micromark } from 'micromark'

/** Characters that turn the order of what is read around them. */
const TURNING = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g
const WITHOUT_HTML = { disable: { null: ['htmlFlow', 'htmlText', 'labelStartImage', 'definition'] } }

/** Restricted Markdown as HTML: nothing in it can load or run anything. */
export function prose(markdown: string): SafeHtml {
  return html.raw`${micromark(markdown.replace(TURNING, ''), { extensions: [WITHOUT_HTML] })}`
}

/** An address that a browser only ever goes to. */
export function webAddress(text: string): string {
  return /^https?:\/\//i.test(text) ? text : '#'
}

/** One line of text, such as a title. */
export function plain(text: string): string {
  return text.replace(TURNING, '')
}

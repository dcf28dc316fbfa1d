import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'

export type ArticleFormat = (typeof FORMATS)[number]

/** The formats of an article. The first is for callers without a preference. */
const FORMATS = ['application/json', 'text/markdown', 'text/html'] as const

/** What the caller of an article prefers: the format, and the languages in order. */
export interface Preferences {
  format: ArticleFormat
  languages: string[]
}

export function preferencesOf(headers: IncomingHttpHeaders): Preferences {
  const { accept } = headers
  // Most callers; negotiating takes longer than reading the header.
  if (accept === undefined || accept === '*/*' || accept === FORMATS[0]) return { format: FORMATS[0], languages: [] }
  const negotiator = new Negotiator({ headers })
  const format = FORMATS.find((one) => one === negotiator.mediaType([...FORMATS])) ?? FORMATS[0]
  const languages = negotiator.languages().map((tag) => tag.slice(0, 2).toLowerCase())
  return { format, languages: languages.filter((code) => /^[a-z]{2}$/.test(code)) }
}

import { Feed } from 'feed'
import type { FeedEntry } from '../db/atom/atomEntries.ts'
import { proseText, titleText } from '../writer/markup/renderMarkdown.ts'

/** Several times what a summary has. */
const MAX_SUMMARY = 2000
/** What XML cannot hold. */
const UNPRINTABLE = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

interface About {
  title: string
  /** Where people reach us. */
  origin: string
  /** The feed's own address. */
  path: string
  /** The page it goes with. */
  page: string
  language: string | undefined
}

export interface Atom {
  text: string
  updated: Date
}

export function atomOf({ title, origin, path, page, language }: About, entries: FeedEntry[]): Atom {
  const times = entries.map((entry) => entry.generated_at.getTime())
  const updated = new Date(Math.max(0, ...times))
  const feed = new Feed({
    id: `${origin}${path}`,
    title: clean(title),
    updated,
    link: `${origin}${page}`,
    feedLinks: { atom: `${origin}${path}` },
    generator: 'Pullpress',
    ...(language && { language }),
  })
  for (const entry of entries) {
    const link = `${origin}/read/articles/${entry.id}?language=${entry.language}`
    feed.addItem({
      id: link,
      link,
      title: asHtml(titleText(entry.title)),
      date: entry.generated_at,
      published: entry.created_at,
      author: [{ name: 'Pullpress' }],
      description: asHtml(summaryOf(entry)),
    })
  }
  return { text: feed.atom1(), updated }
}

/** Pullpress wrote the article; the author named here wrote the pull request. */
function summaryOf({ owner, name, number, author_login, summary }: FeedEntry): string {
  const pull = `${owner}/${name} #${number}${author_login === null ? '' : ` by ${author_login}`}`
  return summary ? `${pull}: ${proseText(summary, MAX_SUMMARY)}` : pull
}

/** Feeds take it for HTML: here, it is text. */
function asHtml(text: string): string {
  return clean(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function clean(text: string): string {
  return text.toWellFormed().replace(UNPRINTABLE, '')
}

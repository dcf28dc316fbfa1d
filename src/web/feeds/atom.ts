import { Feed } from 'feed'
import type { FeedEntry } from '../../db/feeds/atomEntries.ts'
import { feedHtmlFor } from '../../writer/render/feedHtml.ts'
import { proseText, titleText } from '../../writer/render/renderMarkdown.ts'
import { evidenceAddress, pageAddress } from '../pages/addresses.ts'

/** Limit of a summary's length, several times the usual length. */
const MAX_SUMMARY_CHARACTERS = 2000
/** Characters that XML does not allow. */
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

interface FeedInfo {
  title: string
  /** The public origin of this service. */
  origin: string
  /** The path of the feed itself. */
  path: string
  /** The path of the page that shows the same list. */
  page: string
  language: string | undefined
}

export function atomOf({ title, origin, path, page, language }: FeedInfo, entries: FeedEntry[]): string {
  const times = entries.map((entry) => entry.generated_at.getTime())
  const feed = new Feed({
    id: `${origin}${path}`,
    title: clean(title),
    updated: new Date(Math.max(0, ...times)),
    link: `${origin}${page}`,
    feedLinks: { atom: `${origin}${path}` },
    generator: 'Pullpress',
    ...(language && { language }),
  })
  for (const entry of entries) {
    const link = `${origin}${pageAddress(entry.id, entry.language)}`
    const evidence = `${origin}${evidenceAddress(entry.id, entry.language)}`
    feed.addItem({
      id: link,
      link,
      title: asHtml(titleText(entry.title)),
      date: entry.generated_at,
      published: entry.created_at,
      author: [{ name: 'Pullpress' }],
      description: asHtml(summaryOf(entry)),
      ...(entry.feed_html && { content: clean(feedHtmlFor(entry.feed_html, { article: link, evidence })) }),
    })
  }
  return feed.atom1()
}

/** Pullpress wrote the article; the author named here wrote the pull request. */
function summaryOf({ owner, name, number, author_login, summary }: FeedEntry): string {
  const pull = `${owner}/${name} #${number} by ${author_login}`
  return summary ? `${pull}: ${proseText(summary, MAX_SUMMARY_CHARACTERS)}` : pull
}

/** Escapes plain text, because feed readers interpret it as HTML. */
function asHtml(text: string): string {
  return clean(text).replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function clean(text: string): string {
  return text.toWellFormed().replace(NOT_XML, '')
}

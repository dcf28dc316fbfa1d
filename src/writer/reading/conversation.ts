import type { components } from '../../../generated/api.ts'
import type { PullRequestDocument } from '../../pulls/document.ts'
import type { Mask } from './changedFiles.ts'
import { includes } from './includes.ts'
import { type Count, fitting } from './tokens.ts'
import { visible, visibleLine } from './visible.ts'

type Coverage = components['schemas']['Coverage']
type Told = Pick<
  PullRequestDocument,
  | 'title'
  | 'body'
  | 'bodyTruncated'
  | 'commits'
  | 'comments'
  | 'commitCount'
  | 'authorLogin'
  | 'state'
  | 'merged'
  | 'leftOut'
  | 'hostPrUrl'
  | 'draft'
  | 'hostPrCreatedAt'
>

/** What people said about a pull request, each line marked as theirs, and how much of it fitted. */
export interface Conversation {
  /** Which pull request it is, of whom, and what has become of it. */
  about: string
  title: string
  description: string
  commits: string
  comments: string
  coverage: Pick<Coverage, 'description' | 'commits' | 'comments'>
}

export interface Shares {
  description: number
  commits: number
  comments: number
}

export async function tellConversation(pull: Told, shares: Shares, mask: Mask, count: Count): Promise<Conversation> {
  const plain = async (text: string) => visible((await mask(text.split('\n'))).join('\n'))
  const body = pull.body ? (await plain(withoutRemarks(pull.body))).trim() : ''
  const description = fitting(count, quoted(body), shares.description)
  const described = oneLine(pull.body ?? '')
  const commits = await asMany(pull.commits, shares.commits, count, async ({ sha, message }) =>
    quoted(`${sha.slice(0, 10)} ${await plain(beyond(described, message).slice(0, LONGEST))}`),
  )
  const comments = await asMany(pull.comments, shares.comments, count, async (comment) =>
    quoted(`${speaker(comment)}: ${await plain(withoutRemarks(comment.body).trim().slice(0, LONGEST))}`),
  )
  const [title = ''] = await mask([pull.title])
  return {
    about: quoted(visibleLine(aboutOf(pull))),
    title: quoted(visibleLine(title)),
    description: body === '' ? '' : description.text,
    commits: commits.texts.join('\n'),
    comments: comments.texts.join('\n'),
    coverage: {
      description: body === '' ? 'none' : description.whole && !pull.bodyTruncated ? 'read' : 'partlyRead',
      commits: { read: commits.texts.length, total: pull.commits.length + pull.leftOut.commits },
      comments: { read: comments.texts.length, total: pull.comments.length + pull.leftOut.comments },
    },
  }
}

const LONGEST = 8000

function aboutOf({ hostPrUrl, authorLogin, state, merged, draft, hostPrCreatedAt }: Told): string {
  const fate = merged ? 'merged' : draft ? `${state}, a draft` : state
  return `${new URL(hostPrUrl).pathname.slice(1)}, by ${authorLogin}, opened ${hostPrCreatedAt.slice(0, 10)}, ${fate}`
}

/** A commit message, but for what the description has in the same words. */
function beyond(described: string, message: string): string {
  const [subject = '', ...rest] = withoutRemarks(message).trim().split('\n')
  const more = rest.join('\n').trim()
  return more === '' || includes(described, oneLine(more)) ? subject : `${subject}\n${more}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** What nobody sees on the page either, such as the remarks of a template. */
function withoutRemarks(text: string): string {
  const kept: string[] = []
  let rest = text.replaceAll('\r\n', '\n')
  for (;;) {
    const start = rest.indexOf('<!--')
    const end = start === -1 ? -1 : rest.indexOf('-->', start + 4)
    if (end === -1) return [...kept, rest].join('')
    kept.push(rest.slice(0, start))
    rest = rest.slice(end + 3)
  }
}

function speaker({ kind, author, path, line, reviewState }: PullRequestDocument['comments'][number]): string {
  const about = path ? ` on ${visibleLine(path)}${line ? ` line ${line}` : ''}` : ''
  return `${visibleLine(author)} (${kind === 'review' ? `review, ${reviewState ?? 'no verdict'}` : 'comment'}${about})`
}

/** Each line is marked, so that nothing said can pass for anything else in the prompt. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

async function asMany<T>(items: T[], most: number, count: Count, tell: (item: T) => Promise<string>) {
  const texts: string[] = []
  let left = most
  for (const item of items) {
    const text = await tell(item)
    left -= count(text) + 1
    if (left < 0) break
    texts.push(text)
  }
  return { texts }
}

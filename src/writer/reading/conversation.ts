import type { components } from '../../../generated/api.ts'
import type { PullRequestDocument } from '../../pulls/document.ts'
import { cutOut } from './cutOut.ts'
import { includes } from './includes.ts'
import { type Mask, maskText } from './mask.ts'
import { type Count, fitting } from './tokens.ts'
import { visible, visibleLine } from './visible.ts'

type Coverage = components['schemas']['Coverage']
type ConversationSource = Pick<
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

/** Title, description, commits and comments, every line marked as a quotation, and how much of them fits. */
export interface Conversation {
  /** Repository, number, author, date and state. */
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

export async function renderConversation(
  pull: ConversationSource,
  shares: Shares,
  mask: Mask,
  count: Count,
): Promise<Conversation> {
  const plain = async (text: string) => visible(await maskText(text, mask))
  const body = pull.body ? (await plain(withoutHtmlComments(pull.body))).trim() : ''
  const description = fitting(count, quoted(body), shares.description)
  const flatDescription = oneLine(pull.body ?? '')
  const commits = await takeFitting(pull.commits, shares.commits, count, async ({ sha, message }) =>
    quoted(`${sha.slice(0, 10)} ${await plain(withoutRepeatedBody(flatDescription, message).slice(0, MAX_TEXT))}`),
  )
  const comments = await takeFitting(pull.comments, shares.comments, count, async (comment) =>
    quoted(`${authorLabel(comment)}: ${await plain(withoutHtmlComments(comment.body).trim().slice(0, MAX_TEXT))}`),
  )
  return {
    about: quoted(visibleLine(summaryOf(pull))),
    title: quoted(visibleLine(await maskText(pull.title, mask))),
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

const MAX_TEXT = 8000

function summaryOf({ hostPrUrl, authorLogin, state, merged, draft, hostPrCreatedAt }: ConversationSource): string {
  const outcome = merged ? 'merged' : draft ? `${state}, a draft` : state
  return `${new URL(hostPrUrl).pathname.slice(1)}, by ${authorLogin}, opened ${hostPrCreatedAt.slice(0, 10)}, ${outcome}`
}

/** A commit message, without its body if the description contains it verbatim. */
function withoutRepeatedBody(flatDescription: string, message: string): string {
  const [subject = '', ...rest] = withoutHtmlComments(message).trim().split('\n')
  const more = rest.join('\n').trim()
  return more === '' || includes(flatDescription, oneLine(more)) ? subject : `${subject}\n${more}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Removes HTML comments, such as those of a template, which pages do not show either. */
function withoutHtmlComments(text: string): string {
  const { kept, unclosed } = cutOut(text.replaceAll('\r\n', '\n'), '<!--', '-->')
  return kept + unclosed
}

function authorLabel({ kind, author, path, line, reviewState }: PullRequestDocument['comments'][number]): string {
  const about = path ? ` on ${visibleLine(path)}${line ? ` line ${line}` : ''}` : ''
  return `${visibleLine(author)} (${kind === 'review' ? `review, ${reviewState ?? 'no verdict'}` : 'comment'}${about})`
}

/** Marks every line, so that quoted text cannot pass for another part of the prompt. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

async function takeFitting<T>(items: T[], maxTokens: number, count: Count, render: (item: T) => Promise<string>) {
  const texts: string[] = []
  let left = maxTokens
  for (const item of items) {
    const text = await render(item)
    left -= count(text) + 1
    if (left < 0) break
    texts.push(text)
  }
  return { texts }
}

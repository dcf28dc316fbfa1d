import type { components } from '../../../generated/api.ts'
import { cutOut } from '../../lib/cutOut.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import { includes } from './includes.ts'
import { visibleLine } from './visible.ts'

/** A text that people wrote about the change. An article may quote it to give reasons. */
export interface Passage {
  kind: components['schemas']['Source']['kind']
  /** Who wrote it and where, in one line. */
  label: string
  text: string
  url: string
}

type Pull = PullRequestDocument
type Comment = PullRequestDocument['comments'][number]

/** Passages are cut at twice the length that is shown, so that a secret at the final cut is masked before it is cut. */
const MAX_CHARACTERS = 16_000

export function descriptionOf({ body, hostPrUrl }: Pick<Pull, 'body' | 'hostPrUrl'>): Passage {
  return { kind: 'description', label: '', text: withoutHtmlComments(body ?? '').trim(), url: hostPrUrl }
}

/** The commit messages. Leaves out the body of a message if the description contains it verbatim. */
export function commitsOf({ body, commits, hostPrUrl }: Pick<Pull, 'body' | 'commits' | 'hostPrUrl'>): Passage[] {
  const flatDescription = oneLine(body ?? '')
  return commits.map(({ sha, message }) => ({
    kind: 'commit',
    label: `Commit ${sha.slice(0, 10)}`,
    text: withoutRepeatedBody(flatDescription, message).slice(0, MAX_CHARACTERS),
    url: `${hostPrUrl}/commits/${sha}`,
  }))
}

/** Comments and reviews with a text, people before bots. */
export function commentsOf({ comments, hostPrUrl }: Pick<Pull, 'comments' | 'hostPrUrl'>): Passage[] {
  const written = comments.filter(({ body }) => body.trim() !== '')
  const peopleFirst = written.toSorted((a, b) => Number(isBot(a.author)) - Number(isBot(b.author)))
  return peopleFirst.map((comment) => ({
    kind: comment.kind === 'comment' ? 'comment' : 'review',
    label: labelOf(comment),
    text: withoutHtmlComments(comment.body).trim().slice(0, MAX_CHARACTERS),
    url: comment.url ?? hostPrUrl,
  }))
}

export function issuesOf({ linkedIssues }: Pick<Pull, 'linkedIssues'>): Passage[] {
  return linkedIssues.map(({ number, title, body, authorLogin, closes, state, url }) => ({
    kind: 'issue',
    label: `Issue #${number} by ${visibleLine(authorLogin)}, ${state}${closes ? ', resolved by this pull request' : ''}`,
    text: [title, withoutHtmlComments(body ?? '').trim()]
      .filter((part) => part !== '')
      .join('\n')
      .slice(0, MAX_CHARACTERS),
    url,
  }))
}

function isBot(login: string): boolean {
  return /(\[bot\]|-bot)$/i.test(login)
}

function labelOf({ kind, author, path, line, reviewState }: Comment): string {
  const verdict = kind === 'review' && reviewState ? `, ${visibleLine(reviewState)}` : ''
  const about = path ? ` on ${visibleLine(path)}${line ? ` line ${line}` : ''}` : ''
  return `${kind === 'comment' ? 'Comment' : 'Review'} by ${visibleLine(author)}${verdict}${about}`
}

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

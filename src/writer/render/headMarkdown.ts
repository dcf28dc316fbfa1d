import type { components } from '../../../generated/api.ts'
import type { ShownContent } from './articleMarkdown.ts'
import { paragraphs } from './figureMarkdown.ts'
import type { Labels } from './labels.ts'
import { link, plain } from './markdownText.ts'
import { titleText } from './renderMarkdown.ts'

/** What an article says about its pull request. */
export type ArticleFacts = Pick<
  components['schemas']['PullRequestArticle'],
  'repositoryFullName' | 'prNumber' | 'hostPrUrl' | 'title' | 'authorLogin' | 'state' | 'mergedAt'
>

/** The title, and a line with the facts about the pull request. */
export function headMarkdown(facts: ArticleFacts, content: ShownContent, labels: Labels): string {
  const { repositoryFullName, prNumber, hostPrUrl, title, authorLogin, state, mergedAt } = facts
  const { aiGeneratedTitle, generator, stale = false } = content
  const isRepeated = titleText(title) === titleText(aiGeneratedTitle)
  const line = [
    link(plain(`${repositoryFullName}#${prNumber}`), hostPrUrl),
    mergedAt ? labels.merged(mergedAt.slice(0, 10)) : state && labels.states[state],
    plain(authorLogin),
    labels.kinds[generator.kind],
  ]
  return paragraphs([
    `# ${plain(aiGeneratedTitle)}`,
    line.filter(Boolean).join(' · '),
    isRepeated ? null : `${labels.pullTitle}: ${plain(title)}`,
    stale ? `**${labels.stale}**` : null,
  ])
}

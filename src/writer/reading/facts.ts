import type { PullRequestDocument } from '../facts/document.ts'
import { type Mask, maskText } from './mask.ts'
import { type Count, fitting } from './tokens.ts'
import { visibleLine } from './visible.ts'

/**
 * The title and other facts from the code host about a pull request, masked, one per line of at most `maxTokens`
 * tokens.
 */
export async function renderFacts(pull: PullRequestDocument, maxTokens: number, mask: Mask, count: Count) {
  const masked = await maskText(factsOf(pull), mask)
  return masked
    .split('\n')
    .map((fact) => fitting(count, fact, maxTokens).text)
    .join('\n')
}

/** Prints one fact per line. The values are untrusted, so line breaks in them are replaced. */
function factsOf(pull: PullRequestDocument): string {
  const { state, merged, mergedAt, draft, labels, milestone, baseBranch, repositoryDescription } = pull
  const outcome = merged ? `merged ${mergedAt?.slice(0, 10) ?? ''}` : draft ? `${state}, a draft` : state
  const facts: [string, string | null][] = [
    ['Pull request', new URL(pull.hostPrUrl).pathname.slice(1)],
    ['Title', pull.title],
    ['What the repository is', repositoryDescription],
    ['Author', `${pull.authorLogin}${pull.authorIsBot ? ' (a bot)' : ''}`],
    ['State', `${outcome.trim()}, opened ${pull.hostPrCreatedAt.slice(0, 10)}`],
    ['Into the branch', baseBranch],
    ['Milestone', milestone],
    ['Labels', labels.join(', ') || null],
    ['Size', `${pull.changedFiles} files, +${pull.additions} -${pull.deletions} lines`],
  ]
  const entries = facts.filter(([, value]) => value !== null)
  return entries.map(([name, value]) => `- ${name}: ${visibleLine(value ?? '')}`).join('\n')
}

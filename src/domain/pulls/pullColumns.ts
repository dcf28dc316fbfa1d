import type { DocumentFacts } from '../../writer/facts/document.ts'

/** The largest number that an integer column can hold. */
const MAX_COUNT = 2_147_483_647

/** The fields that are also stored as columns beside the document. */
export function pullColumnsOf(facts: DocumentFacts) {
  const { headSha, title, authorLogin, hostPrUrl, hostPrCreatedAt } = facts
  const { state, mergedAt, draft, labels, authorIsBot, additions, deletions, changedFiles } = facts
  return {
    head_sha: headSha,
    title,
    author_login: authorLogin,
    host_url: hostPrUrl,
    host_created_at: new Date(hostPrCreatedAt),
    state,
    merged_at: mergedAt === null ? null : new Date(mergedAt),
    draft,
    labels: JSON.stringify(labels),
    author_is_bot: authorIsBot,
    additions: Math.min(additions, MAX_COUNT),
    deletions: Math.min(deletions, MAX_COUNT),
    changed_files: Math.min(changedFiles, MAX_COUNT),
  }
}

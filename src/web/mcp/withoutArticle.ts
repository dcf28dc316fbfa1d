import type { Context } from '../../context.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import { cursorAfter, listMerges } from '../../domain/merges/listMerges.ts'
import { clip } from '../../lib/clip.ts'
import { countWithin, entryTokens } from './entries.ts'
import { oneLine } from './untrusted.ts'

const MAX_MERGES = 100
const MAX_TITLE_CHARACTERS = 200
/** Articles get what the merged pull requests leave of an answer. */
const MAX_TOKENS = 2500

export interface Period {
  since: Date
  /** Not included. */
  until: Date | undefined
}

/** Merged pull requests without an article, as many as fit. */
export interface Merges {
  merges: ReturnType<typeof toEntry>[]
  tokens: number
  nextCursor: string | null
  /** Null if the repository is not watched, so that its merged pull requests are unknown. */
  watchedSince: string | null
}

export const NO_MERGES: Merges = { merges: [], tokens: 0, nextCursor: null, watchedSince: null }

/** The merged pull requests without an article, most recently merged first. */
export async function findWithoutArticle(
  ctx: Context,
  viewer: Viewer | undefined,
  name: Name,
  { since, until }: Period,
  cursor = until && cursorAfter(until, 0),
): Promise<Merges> {
  const page = { limit: MAX_MERGES, cursor, wanted: false }
  const { data, pagination, watching } = await listMerges(ctx, viewer, name, page)
  if (watching === null) return NO_MERGES
  const recent = data.filter(({ mergedAt }) => new Date(mergedAt) >= since)
  const listed = recent.filter(({ articleId }) => articleId === null).map(toEntry)
  const tokens = listed.map((entry) => entryTokens(entry, mergeLine(entry)))
  const merges = listed.slice(0, countWithin(tokens, MAX_TOKENS))
  const last = merges.length < listed.length ? merges.at(-1) : undefined
  const following = recent.length === data.length ? pagination.nextCursor : null
  return {
    merges,
    tokens: tokens.slice(0, merges.length).reduce((sum, one) => sum + one, 0),
    nextCursor: last ? cursorAfter(new Date(last.mergedAt), last.number) : following,
    watchedSince: watching.since,
  }
}

type Merge = Awaited<ReturnType<typeof listMerges>>['data'][number]

function toEntry({ prNumber: number, hostPrUrl: pullRequest, title, authorLogin: author, mergedAt }: Merge) {
  return { number, pullRequest, title: clip(title, MAX_TITLE_CHARACTERS).text, author, mergedAt }
}

export function mergeLine({ number, title, author, mergedAt }: Merges['merges'][number]): string {
  return `- ${mergedAt.slice(0, 10)} · #${number} · ${oneLine(title)} · ${author}`
}

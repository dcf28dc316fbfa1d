import type { components } from '../../generated/api.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { findRepositoryOfArticle, findShownArticle, findShownArticleOf, findShownRepository } from '../db/articles.ts'
import type { Name } from '../db/repositories.ts'
import { Problem } from '../errors.ts'
import type { JsonText } from '../json.ts'
import { askForRepository } from '../repositories/askForRepository.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { onceProven } from '../repositories/publicProof.ts'
import { audienceOf, reproveHidden } from '../repositories/visibility.ts'
import { describe } from './describe.ts'
import { articleNotFound } from './problems.ts'

export type PullRequestArticle = components['schemas']['PullRequestArticle']
type Viewing = Viewer | undefined
type Row = Awaited<ReturnType<typeof findShownArticle>>[number]

/** The article about a pull request. Who is shown no such repository is answered as in reading the pull request. */
export async function readArticle(
  ctx: Context,
  viewer: Viewing,
  name: Name,
  number: number,
): Promise<JsonText<PullRequestArticle>> {
  const shown = await onceProven(ctx, name, () => findShownRepository(ctx.db, audienceOf(ctx, viewer), name))
  const hostRepoId = shown?.host_repo_id ?? (viewer && (await askForRepository(ctx, viewer, name)))
  if (hostRepoId === undefined) throw repositoryNotFound()
  return readArticleOf(ctx, viewer, hostRepoId, number)
}

async function readArticleOf(ctx: Context, viewer: Viewing, hostRepoId: number, number: number) {
  const find = () => findShownArticleOf(ctx.db, { ...audienceOf(ctx, viewer), hostRepoId, number })
  return toArticle(await described(ctx, await find(), find))
}

/** For somebody who has waited for it: what they had proven may have grown old meanwhile. */
export async function readAwaited(ctx: Context, viewer: Viewer, hostRepoId: number, number: number) {
  return readArticleOf(ctx, viewer, hostRepoId, number).catch(async (error) => {
    if (!(error instanceof Problem)) throw error
    await reproveHidden(ctx, viewer, hostRepoId)
    return readArticleOf(ctx, viewer, hostRepoId, number)
  })
}

export async function readArticleById(ctx: Context, viewer: Viewing, articleId: string) {
  let rows: Row[] = []
  const find = async () => {
    rows = await findShownArticle(ctx.db, { ...audienceOf(ctx, viewer), articleId })
    return rows[0]
  }
  const behind = () => findRepositoryOfArticle(ctx.db, articleId)
  const found = await onceProven(ctx, async () => keyOf(await behind()), find)
  if (!found && viewer) {
    await reproveHidden(ctx, viewer, await behind())
    await find()
  }
  return toArticle(
    await described(ctx, rows, async () => {
      await find()
      return rows
    }),
  )
}

async function described(ctx: Context, rows: Row[], again: () => Promise<Row[]>): Promise<Row[]> {
  const [row] = rows
  if (!row || row.described === row.version) return rows
  await describe(ctx, row.host_repo_id, row.number)
  return again()
}

function keyOf(hostRepoId: number | undefined) {
  return hostRepoId === undefined ? undefined : { hostRepoId }
}

/** Texts are passed on as they were written; what changes without a new text is put in front. */
function toArticle(rows: Row[]): JsonText<PullRequestArticle> {
  const [article] = rows
  if (!article) throw articleNotFound()
  const { owner, name } = article
  const head = JSON.stringify({
    id: article.id,
    prNumber: article.number,
    owner,
    repo: name,
    repositoryFullName: `${owner}/${name}`,
    hostPrUrl: article.host_url,
    title: article.title,
    authorLogin: article.author_login,
    hostPrCreatedAt: article.host_created_at?.toISOString(),
    totalLikeCount: 0,
    createdAt: article.created_at.toISOString(),
    updatedAt: article.updated_at.toISOString(),
  })
  const contents = rows.flatMap((row, i) => {
    const changing = JSON.stringify({ likeCount: 0, stale: row.head_sha !== row.current_head_sha })
    return [`${i > 0 ? ',' : ''}"${row.language}":${changing.slice(0, -1)},`, row.content.slice(1)]
  })
  return { parts: [`${head.slice(0, -1)},"contents":{`, ...contents, '}}'] }
}

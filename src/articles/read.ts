import type { components } from '../../generated/api.ts'
import type { Viewer } from '../accounts/session.ts'
import type { UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import type { Context } from '../context.ts'
import type { CredentialKeys } from '../db/accounts/viewers.ts'
import {
  type ArticleDocument,
  findArticle,
  findArticleFor,
  findArticleOf,
  findArticlePage,
  findArticlePageFor,
} from '../db/articles/articleDocuments.ts'
import type { Name } from '../db/repositories/repositories.ts'
import { findShownRepository } from '../db/repositories/repositories.ts'
import type { Freshness } from '../db/visibility.ts'
import { Problem } from '../errors.ts'
import type { JsonText } from '../lib/jsonText.ts'
import { askForRepository } from '../repositories/askForRepository.ts'
import { repositoryNotFound } from '../repositories/problems.ts'
import { afterPublicCheck, freshness } from '../repositories/publicVisibility.ts'
import { audienceOf, recheckHiddenAccess } from '../repositories/visibility.ts'
import { backfillColumns } from './backfillColumns.ts'
import { checkArticleVisibility } from './checkVisibility.ts'
import { articleNotFound } from './problems.ts'

export type PullRequestArticle = components['schemas']['PullRequestArticle']
type Viewing = Viewer | undefined

/** The article about a pull request. A hidden repository gives the same error as reading the pull request does. */
export async function readArticle(
  ctx: Context,
  viewer: Viewing,
  name: Name,
  number: number,
): Promise<JsonText<PullRequestArticle>> {
  const shown = await afterPublicCheck(ctx, name, () => findShownRepository(ctx.db, audienceOf(ctx, viewer), name))
  const hostRepoId = shown?.host_repo_id ?? (viewer && (await askForRepository(ctx, viewer, name)))
  if (hostRepoId === undefined) throw repositoryNotFound()
  return readArticleOf(ctx, viewer, hostRepoId, number)
}

async function readArticleOf(ctx: Context, viewer: Viewing, hostRepoId: number, number: number) {
  const find = async () =>
    (await findArticleOf(ctx.db, { ...audienceOf(ctx, viewer), hostRepoId, number }, freshness(ctx)))[0]
  return toArticle(await withColumns(ctx, await find(), find))
}

/** For a caller who waited for a job: their visibility check may have expired meanwhile. */
export async function readAwaited(ctx: Context, viewer: Viewer, hostRepoId: number, number: number) {
  return readArticleOf(ctx, viewer, hostRepoId, number).catch(async (error) => {
    if (!(error instanceof Problem)) throw error
    await recheckHiddenAccess(ctx, viewer, hostRepoId)
    return readArticleOf(ctx, viewer, hostRepoId, number)
  })
}

/** Reads an article for anyone or for one viewer, with a single statement if no further check is due. */
export async function readArticleById(ctx: Context, credential: UnverifiedCredential, articleId: string) {
  const key = { articleId }
  const { article } = await findById(ctx, credential, articleId, (fresh, keys) =>
    keys ? findArticleFor(ctx.db, key, fresh, keys) : findArticle(ctx.db, key, fresh),
  )
  return article
}

/** The same for a page, with the markup in the first available of the given languages. */
export async function readArticlePage(
  ctx: Context,
  credential: UnverifiedCredential,
  articleId: string,
  languages: string[],
) {
  const key = { articleId, languages: `{${languages.join(',')}}` }
  const { article, found } = await findById(ctx, credential, articleId, (fresh, keys) =>
    keys ? findArticlePageFor(ctx.db, key, fresh, keys) : findArticlePage(ctx.db, key, fresh),
  )
  const { language, markup, private: isPrivate, is_liked: isLiked } = found
  return { article: JSON.parse(article.parts.join('')) as PullRequestArticle, language, markup, isPrivate, isLiked }
}

type Find<Row> = (fresh: Freshness, keys: CredentialKeys | null) => Promise<Row[]>

async function findById<Row extends Found>(
  ctx: Context,
  credential: UnverifiedCredential,
  articleId: string,
  find: Find<Row>,
) {
  const [fast] = await find(freshness(ctx), credential.token && { ...credential.token, is_checked: false })
  if (fast?.user_id) credential.isKnownAs(fast.user_id)
  if (fast?.is_described && fast.is_proven) return { article: toArticle(fast), found: fast }
  const viewer = await credential.identify()
  await checkArticleVisibility(ctx, viewer, articleId)
  const keys = viewer && credential.token ? { ...credential.token, is_checked: true } : null
  const again = async () => (await find(freshness(ctx), keys))[0]
  const found = await withColumns(ctx, await again(), again)
  if (!found) throw articleNotFound()
  return { article: toArticle(found), found }
}

type Found = ArticleDocument & { user_id?: string }

/** Nodes of an older version leave the columns empty that an article shows of its pull request. */
async function withColumns<Row extends ArticleDocument>(
  ctx: Context,
  found: Row | undefined,
  again: () => Promise<Row | undefined>,
): Promise<Row | undefined> {
  if (!found || found.is_described) return found
  await backfillColumns(ctx, found.host_repo_id, found.number)
  return again()
}

function toArticle(found: ArticleDocument | undefined): JsonText<PullRequestArticle> {
  if (!found) throw articleNotFound()
  return { parts: [`${found.head.slice(0, -1)},"contents":{${found.contents}}}`] }
}

import type { components } from '../../generated/api.ts'
import type { Viewer } from '../accounts/session.ts'
import { credentialKeys, type UnverifiedCredential, verifiedCredentialKeys } from '../accounts/unverifiedCredential.ts'
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
import { findShownRepository } from '../db/articles/articles.ts'
import type { Name } from '../db/repositories/repositories.ts'
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

/** The article about a pull request. Who is shown no such repository is answered as in reading the pull request. */
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
  return toArticle(await described(ctx, await find(), find))
}

/** For somebody who has waited for it: what they had proven may have grown old meanwhile. */
export async function readAwaited(ctx: Context, viewer: Viewer, hostRepoId: number, number: number) {
  return readArticleOf(ctx, viewer, hostRepoId, number).catch(async (error) => {
    if (!(error instanceof Problem)) throw error
    await recheckHiddenAccess(ctx, viewer, hostRepoId)
    return readArticleOf(ctx, viewer, hostRepoId, number)
  })
}

/** As everybody sees it, or as one who asks does: by one statement where that tells all there is to know. */
export async function readArticleById(ctx: Context, credential: UnverifiedCredential, articleId: string) {
  const asked = { articleId }
  const { article } = await findById(ctx, credential, articleId, (fresh, keys) =>
    keys ? findArticleFor(ctx.db, asked, fresh, keys) : findArticle(ctx.db, asked, fresh),
  )
  return article
}

/** The same for a page, with what only pages show, in the best of some languages that it is written in. */
export async function readArticlePage(
  ctx: Context,
  credential: UnverifiedCredential,
  articleId: string,
  languages: string[],
) {
  const asked = { articleId, languages: `{${languages.join(',')}}` }
  const { article, found } = await findById(ctx, credential, articleId, (fresh, keys) =>
    keys ? findArticlePageFor(ctx.db, asked, fresh, keys) : findArticlePage(ctx.db, asked, fresh),
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
  const [swift] = await find(freshness(ctx), credential.token && credentialKeys(ctx, credential.token))
  if (swift?.user_id) credential.isKnownAs(swift.user_id)
  if (swift?.is_described && swift.is_proven) return { article: toArticle(swift), found: swift }
  const viewer = await credential.identify()
  await checkArticleVisibility(ctx, viewer, articleId)
  const keys = viewer && credential.token ? verifiedCredentialKeys(ctx, credential.token) : null
  const again = async () => (await find(freshness(ctx), keys))[0]
  const found = await described(ctx, await again(), again)
  if (!found) throw articleNotFound()
  return { article: toArticle(found), found }
}

type Found = ArticleDocument & { user_id?: string }

/** Older nodes store a pull request without what an article tells of it. */
async function described<Row extends ArticleDocument>(
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

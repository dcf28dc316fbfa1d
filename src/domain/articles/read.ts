import type { Context } from '../../context.ts'
import type { CredentialKeys } from '../../db/accounts/viewers.ts'
import { type ArticleDocument, findArticle, findArticleFor, findArticleOf } from '../../db/articles/articleDocuments.ts'
import {
  findArticleLanguages,
  findArticlePage,
  findArticleText,
  findEvidencePage,
  type PageKey,
} from '../../db/articles/articlePages.ts'
import { findShownRepository, type Name, type RepositoryKey } from '../../db/repositories/repositories.ts'
import { Problem } from '../../errors.ts'
import type { JsonText } from '../../lib/jsonText.ts'
import type { StoredContent } from '../../writer/content.ts'
import type { Viewer } from '../accounts/session.ts'
import type { UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import { findByName } from '../repositories/askForRepository.ts'
import { freshness } from '../repositories/freshness.ts'
import { recheckHiddenAccess } from '../repositories/recheckAccess.ts'
import { audienceOf } from '../repositories/visibility.ts'
import { findOfArticle } from './checkVisibility.ts'
import { articleNotFound } from './problems.ts'
import { type PullRequestArticle, toArticle } from './toArticle.ts'

type Viewing = Viewer | undefined

/** The parts of an article that a caller asks for. */
export interface Selection {
  /** One language instead of all. */
  language?: string | undefined
  evidenceLines?: boolean
}

/** Reads the visible article about a pull request, in the form that the caller needs. */
export type Read<T> = (ctx: Context, viewer: Viewing, hostRepoId: number, number: number) => Promise<T>

/** The article as JSON for the API. Its page is `articlePages` with its id. */
export function articleDocument(articlePages: string, selection: Selection = {}): Read<JsonText<PullRequestArticle>> {
  const { shape, texts } = toQuery(selection)
  return async (ctx, viewer, hostRepoId, number) => {
    const key = { ...audienceOf(ctx, viewer), hostRepoId, number, userId: viewer?.user.id ?? null }
    const [row] = await findArticleOf(ctx.db, shape, key, texts)
    return toArticle(ctx.threads, row, articlePages)
  }
}

function toQuery({ language, evidenceLines = false }: Selection) {
  return { shape: { hasExcerpts: evidenceLines }, texts: { language: language ?? null } }
}

/** The id and the languages of the article, from which pages build its URL. */
export const articleAddress: Read<{ id: string; languages: string[] }> = async (ctx, viewer, hostRepoId, number) => {
  const texts = await findArticleLanguages(ctx.db, { ...audienceOf(ctx, viewer), hostRepoId, number })
  if (!texts[0]) throw articleNotFound()
  return { id: texts[0].id, languages: texts.map(({ language }) => language) }
}

/**
 * Reads the article about a pull request by the name of its repository. A hidden repository gives the same error as for
 * reading the pull request.
 */
export async function readArticle<T>(
  ctx: Context,
  viewer: Viewing,
  name: Name,
  number: number,
  read: Read<T>,
): Promise<T> {
  const find = (by: RepositoryKey) => findShownRepository(ctx.db, audienceOf(ctx, viewer), by)
  const { host_repo_id: hostRepoId } = await findByName(ctx, viewer, name, find)
  return read(ctx, viewer, hostRepoId, number)
}

/**
 * Reads an article for a caller who waited for a job, because the caller's visibility check may have expired meanwhile.
 */
export async function readAwaited<T>(
  ctx: Context,
  viewer: Viewer,
  hostRepoId: number,
  number: number,
  read: Read<T>,
): Promise<T> {
  return read(ctx, viewer, hostRepoId, number).catch(async (error) => {
    if (!(error instanceof Problem)) throw error
    await recheckHiddenAccess(ctx, viewer, hostRepoId)
    return read(ctx, viewer, hostRepoId, number)
  })
}

type Found = ArticleDocument & { user_id?: string }

/** Reads an article for anyone or for one viewer, with a single statement if no further check is due. */
export async function readArticleById(
  ctx: Context,
  credential: UnverifiedCredential,
  articleId: string,
  articlePages: string,
  selection: Selection,
) {
  const { shape, texts } = toQuery(selection)
  const find = async (keys: CredentialKeys | null): Promise<Found | undefined> => {
    const fresh = freshness(ctx)
    const rows = keys
      ? findArticleFor(ctx.db, shape, { articleId }, texts, fresh, keys)
      : findArticle(ctx.db, shape, { articleId }, texts, fresh)
    return (await rows)[0]
  }
  const row = await findOfArticle(ctx, articleId, {
    async atOnce() {
      const fast = await find(credential.token && { ...credential.token, is_checked: false })
      if (fast?.user_id) credential.isKnownAs(fast.user_id)
      return fast
    },
    identify: credential.identify,
    checked: (viewer) => find(viewer && credential.token ? { ...credential.token, is_checked: true } : null),
  })
  return toArticle(ctx.threads, row, articlePages)
}

/** Reads the text of an article in the first available of the given languages. */
export async function readArticleText(ctx: Context, viewer: Viewing, articleId: string, languages: string[]) {
  return readText(ctx, viewer, articleId, languages, (key) => findArticleText(ctx.db, key))
}

/** Reads the same text as `readArticleText`, for a web page. */
export async function readArticlePage(ctx: Context, viewer: Viewing, articleId: string, languages: string[]) {
  const userId = viewer?.user.id ?? null
  return readText(ctx, viewer, articleId, languages, (key) => findArticlePage(ctx.db, { ...key, userId }))
}

/** Reads the citations of the same text, for the same viewers. */
export async function readEvidencePage(ctx: Context, viewer: Viewing, articleId: string, languages: string[]) {
  return readText(ctx, viewer, articleId, languages, (key) => findEvidencePage(ctx.db, key))
}

async function readText<Row extends { is_unverified: boolean; content: string }>(
  ctx: Context,
  viewer: Viewing,
  articleId: string,
  languages: string[],
  rowsOf: (key: PageKey) => Promise<Row[]>,
) {
  const find = async () => {
    const [row] = await rowsOf({ ...audienceOf(ctx, viewer), articleId, languages })
    return row
  }
  const text = await findOfArticle(ctx, articleId, { atOnce: find, identify: () => viewer, checked: find })
  const { content, ...facts } = text
  return { ...facts, content: JSON.parse(content) as StoredContent }
}

export type ArticleText = Awaited<ReturnType<typeof readArticleText>>
export type ArticlePage = Awaited<ReturnType<typeof readArticlePage>>
export type EvidencePage = Awaited<ReturnType<typeof readEvidencePage>>

import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import { type CredentialKeys, withViewer } from '../accounts/viewers.ts'
import { jsonObject, jsonTime } from '../engine/json.ts'
import { preparedInShapes } from '../engine/prepared/prepared.ts'
import { isLikedBy, likesOf } from '../likes/likes.ts'
import { pullFacts } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import {
  type Audience,
  type Freshness,
  fitsRepository,
  isUnverified,
  publicAudience,
  viewerAudience,
} from '../visibility.ts'
import { shownArticles } from './shownArticles.ts'

export interface ArticleKey {
  articleId: string
}

/** Which texts of an article to read. */
export interface TextFilter {
  /** Null: texts in all languages. */
  language: string | null
}

export interface DocumentShape {
  hasExcerpts: boolean
}

export type ArticleDocument = Awaited<ReturnType<typeof findArticle>>[number]

/** An article for anonymous callers. */
export const findArticle = preparedInShapes(
  (db, shape: DocumentShape, key: ArticleKey, texts: TextFilter, fresh: Freshness) =>
    documents(db, shape, texts, publicAudience(fresh), sql`null::boolean`).where('articles.id', '=', key.articleId),
)

/** An article for a viewer; no row if the viewer is not authenticated. */
export const findArticleFor = preparedInShapes(
  (db, shape: DocumentShape, key: ArticleKey, texts: TextFilter, fresh: Freshness, keys: CredentialKeys) => {
    const audience = viewerAudience(fresh, sql`viewer.session_id`)
    return withViewer(db, keys, fresh)
      .selectFrom('viewer')
      .innerJoinLateral(
        (inner) =>
          documents(
            inner as unknown as QueryCreator<Schema>,
            shape,
            texts,
            audience,
            isTextLikedBy(sql`viewer.user_id`),
          )
            .where('articles.id', '=', key.articleId)
            .as('document'),
        (join) => join.onTrue(),
      )
      .selectAll('document')
      .select('viewer.user_id')
  },
)

export interface ByPullRequest extends Audience {
  hostRepoId: number
  number: number
}

interface ReaderKey extends ByPullRequest {
  /** Null for anonymous callers. */
  userId: string | null
}

/** The article of a pull request. */
export const findArticleOf = preparedInShapes((db, shape: DocumentShape, key: ReaderKey, texts: TextFilter) => {
  const user = sql`${key.userId}::uuid`
  const liked = sql`case when ${user} is not null then ${isTextLikedBy(user)} end`
  return documents(db, shape, texts, key, liked)
    .where('articles.host_repo_id', '=', key.hostRepoId)
    .where('articles.number', '=', key.number)
})

function isTextLikedBy(user: RawBuilder<unknown>) {
  return isLikedBy(user, sql`article_texts.article_id`, sql`article_texts.language`)
}

/**
 * An article as the JSON of the response, in two parts, `head` and `contents`. Stored texts are passed on unparsed;
 * fields that change without a new text (likes, staleness) are prepended to each. `head` has the likes of all texts,
 * including those that the filter excludes. There is no row if no text matches the filter.
 */
function documents(
  db: QueryCreator<Schema>,
  { hasExcerpts }: DocumentShape,
  { language }: TextFilter,
  audience: Audience,
  liked: RawBuilder<unknown>,
) {
  const wanted = sql`filter (where ${language}::text is null or language = ${language})`
  const excerpts = hasExcerpts
    ? sql`string_agg('"' || language || '":' || coalesce(excerpts, 'null'), ',' order by language) ${wanted}`
    : sql`null::text`
  const texts = sql<AggregatedTexts>`lateral (
    select
      sum(likes)::integer as likes,
      string_agg(
        '"' || language || '":{"likeCount":' || likes
          || ',"liked":' || coalesce(liked::text, 'null') || ',"stale":'
          || case when head_sha = pull_requests.head_sha then 'false,' else 'true,' end || substr(content, 2),
        ',' order by language
      ) ${wanted} as contents,
      ${excerpts} as excerpts
    from (
      select
        article_texts.language, article_texts.head_sha, article_texts.content,
        ${hasExcerpts ? sql`article_texts.excerpts,` : sql``}
        ${likesOf(sql`article_texts.article_id`, sql`article_texts.language`)} as likes,
        ${liked} as liked
      from article_texts
      where article_texts.article_id = articles.id and ${fitsRepository('article_texts')}
      offset 0
    ) one
  )`
  return shownArticles(db, audience)
    .innerJoin(texts.as('texts'), (join) => join.onTrue())
    .where('texts.contents', 'is not', null)
    .select(['articles.id', 'texts.contents', 'texts.excerpts', isUnverified(audience)])
    .select(head(sql`texts.likes`).as('head'))
}

/** The texts of one article. */
interface AggregatedTexts {
  /** The texts as members of a JSON object by language, without its braces. */
  contents: string
  /** The diff lines that the texts cite, in the same form; null if the shape has no excerpts. */
  excerpts: string | null
  likes: number
}

function head(likes: RawBuilder<number>) {
  return jsonObject({
    id: sql`articles.id`,
    prNumber: sql`articles.number`,
    owner: sql`repositories.owner`,
    repo: sql`repositories.name`,
    repositoryFullName: sql`repositories.owner || '/' || repositories.name`,
    hostPrUrl: sql`pull_requests.host_url`,
    title: sql`pull_requests.title`,
    authorLogin: sql`pull_requests.author_login`,
    authorIsBot: pullFacts.authorIsBot,
    state: pullFacts.state,
    merged: pullFacts.isMerged,
    mergedAt: jsonTime(pullFacts.mergedAt),
    draft: pullFacts.draft,
    labels: pullFacts.labels,
    additions: pullFacts.additions,
    deletions: pullFacts.deletions,
    changedFiles: pullFacts.changedFiles,
    hostPrCreatedAt: jsonTime(sql`pull_requests.host_created_at`),
    totalLikeCount: likes,
    createdAt: jsonTime(sql`articles.created_at`),
    updatedAt: jsonTime(sql`articles.updated_at`),
  })
}

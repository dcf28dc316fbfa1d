import { type QueryCreator, sql } from 'kysely'
import { prepared } from '../engine/prepared/prepared.ts'
import { isLikedBy, likesOf } from '../likes/likes.ts'
import { pullFacts, pullState } from '../pulls/pullFacts.ts'
import type { Schema } from '../schema/schema.ts'
import { type Audience, isUnverified } from '../visibility.ts'
import type { ByPullRequest } from './articleDocuments.ts'
import { shownTexts } from './shownArticles.ts'

export interface PageKey extends Audience {
  articleId: string
  /** The preferred languages in order. */
  languages: string[]
}

interface ReaderKey extends PageKey {
  /** Null for anonymous readers. */
  userId: string | null
}

const facts = [
  sql<string>`pull_requests.author_login`.as('author_login'),
  ...pullState,
  sql<string[]>`array_agg(article_texts.language) over (
    order by article_texts.language rows between unbounded preceding and unbounded following
  )`.as('languages'),
  sql<boolean>`(article_texts.head_sha = pull_requests.head_sha) is not true`.as('is_stale'),
] as const

/** The text of an article in the first available of the given languages. */
export const findArticleText = prepared((db, key: PageKey) => textOf(db, key).select(facts))

/** As `findArticleText`, for a web page: with the HTML of the text. */
export const findArticlePage = prepared((db, key: ReaderKey) =>
  textOf(db, key)
    .select(facts)
    .select([
      'article_texts.markup',
      pullFacts.authorIsBot.as('author_is_bot'),
      pullFacts.labels.as('labels'),
      pullFacts.additions.as('additions'),
      pullFacts.deletions.as('deletions'),
      pullFacts.changedFiles.as('changed_files'),
      likesOf(sql`article_texts.article_id`, sql`article_texts.language`).as('likes'),
      isLikedBy(sql`${key.userId}::uuid`, sql`article_texts.article_id`, sql`article_texts.language`).as('is_liked'),
    ]),
)

/** For the evidence page: the HTML of the text, and the diff lines that it cites. */
export const findEvidencePage = prepared((db, key: PageKey) =>
  textOf(db, key).select(['article_texts.markup', 'article_texts.excerpts']),
)

function textOf(db: QueryCreator<Schema>, key: PageKey) {
  return shownTexts(db, key)
    .where('articles.id', '=', key.articleId)
    .select([
      'articles.id',
      'articles.number',
      'repositories.host_repo_id',
      'repositories.owner',
      'repositories.name',
      'repositories.private',
      'pull_requests.host_url',
      'pull_requests.title',
      'article_texts.language',
      'article_texts.content',
      isUnverified(key),
    ])
    .orderBy(sql`array_position(${key.languages}::text[], article_texts.language)`)
    .orderBy('article_texts.language')
    .limit(sql.lit(1))
}

/** The languages that the article of a pull request has, each with the id of the article. */
export const findArticleLanguages = prepared((db, key: ByPullRequest) =>
  shownTexts(db, key)
    .where('articles.host_repo_id', '=', key.hostRepoId)
    .where('articles.number', '=', key.number)
    .select(['articles.id', 'article_texts.language']),
)

import { type Expression, type QueryCreator, sql } from 'kysely'
import { type CredentialKeys, type WithViewer, withViewer } from '../accounts/viewers.ts'
import { shownTexts } from '../articles/shownArticles.ts'
import { prepared } from '../engine/prepared/prepared.ts'
import type { Schema } from '../schema/schema.ts'
import { type Freshness, isProven, viewerAudience } from '../visibility.ts'

export interface TextKey {
  articleId: string
  language: string
}

export interface TextQuery extends TextKey {
  /**
   * Whether the caller has just checked that the repository is public, so that the last stored check need not be fresh.
   */
  is_verified: boolean
}

/** The likes of a text: the counted ones plus the changes not counted yet. */
export function likesOf(article: Expression<string>, language: Expression<string>) {
  return sql<number>`(
    coalesce(
      (select all_time from like_counts where like_counts.article_id = ${article} and like_counts.language = ${language}), 0
    ) + coalesce(
      (select sum(change) from like_changes where like_changes.article_id = ${article} and like_changes.language = ${language}), 0
    )
  )::integer`
}

/** Whether a user likes a text; false if the user is null. */
export function isLikedBy(user: Expression<unknown>, article: Expression<string>, language: Expression<string>) {
  return sql<boolean>`exists (
    select from likes
    where likes.user_id = ${user} and likes.article_id = ${article} and likes.language = ${language}
  )`
}

function withText(db: QueryCreator<WithViewer>, query: TextQuery, fresh: Freshness) {
  const audience = viewerAudience(fresh, sql`(select session_id from viewer)`)
  return db.with('text', (inner) =>
    shownTexts(inner as unknown as QueryCreator<Schema>, audience)
      .where('articles.id', '=', query.articleId)
      .where('article_texts.language', '=', query.language)
      .where(
        sql<boolean>`(
          ${query.is_verified}::boolean or ${isProven(fresh)}
        )`,
      )
      .select(['articles.id as article_id', 'article_texts.language']),
  )
}

const likes = likesOf(sql`text.article_id`, sql`text.language`)
const isViewersLike = sql<boolean>`(
  likes.user_id = viewer.user_id and likes.article_id = text.article_id and likes.language = text.language
)`

/**
 * Authenticates the viewer, checks visibility, adds the like if it is missing and counts the likes of the article text,
 * all in one statement. Returns no row if the viewer or the article text is not found. If another request adds the same
 * like at the same moment, this statement neither adds it nor sees it, and `id` is null.
 */
export const addLike = prepared((db, keys: CredentialKeys, query: TextQuery, fresh: Freshness, like: { id: string }) =>
  withText(withViewer(db, keys, fresh), query, fresh)
    .with('added', (inner) =>
      inner
        .insertInto('likes')
        .columns(['user_id', 'article_id', 'language', 'id', 'liked_at'])
        .expression((from) =>
          from
            .selectFrom(['viewer', 'text'])
            .select([
              'viewer.user_id',
              'text.article_id',
              'text.language',
              sql<string>`${like.id}::uuid`.as('id'),
              sql<Date>`${fresh.now}::timestamptz`.as('liked_at'),
            ]),
        )
        .onConflict((conflict) => conflict.columns(['user_id', 'article_id', 'language']).doNothing())
        .returning(['likes.article_id', 'likes.language', 'likes.id', 'likes.liked_at']),
    )
    .with('noted', (inner) =>
      inner
        .insertInto('like_changes')
        .columns(['article_id', 'language', 'like_id', 'change', 'liked_at'])
        .expression((from) =>
          from.selectFrom('added').select(['article_id', 'language', 'id', sql.lit<1>(1).as('change'), 'liked_at']),
        ),
    )
    .selectFrom('viewer')
    .innerJoin('text', (join) => join.onTrue())
    .leftJoin('added', (join) => join.onTrue())
    .leftJoin('likes', (join) => join.on(isViewersLike))
    .select([
      'viewer.user_id',
      'likes.id',
      'likes.liked_at',
      sql<boolean>`added.id is not null`.as('added'),
      // The snapshot may still hold the viewer's like if it was removed while this statement waited.
      sql<number>`${likes} + (added.id is not null and likes.id is null)::integer`.as('count'),
    ]),
)

/** As `addLike`, but removes the like. A trigger records the change. */
export const removeLike = prepared((db, keys: CredentialKeys, query: TextQuery, fresh: Freshness) =>
  withText(withViewer(db, keys, fresh), query, fresh)
    .with('removed', (inner) =>
      inner.deleteFrom('likes').using(['viewer', 'text']).where(isViewersLike).returning('likes.id'),
    )
    .selectFrom('viewer')
    .innerJoin('text', (join) => join.onTrue())
    .leftJoin('removed', (join) => join.onTrue())
    .leftJoin('likes', (join) => join.on(isViewersLike))
    .select([
      'viewer.user_id',
      sql<boolean>`removed.id is not null`.as('removed'),
      // If the snapshot holds the viewer's like, it is gone now, even if a concurrent statement removed it.
      sql<number>`${likes} - (likes.id is not null)::integer`.as('count'),
    ]),
)

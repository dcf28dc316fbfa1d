import { type QueryCreator, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository, shownTo } from '../visibility.ts'

/** The articles of visible repositories with their pull requests. Single texts may still be hidden: see `shownTexts`. */
export function shownArticles(db: QueryCreator<Schema>, audience: Audience) {
  return shownTo(db, audience)
    .innerJoin('articles', 'articles.host_repo_id', 'repositories.host_repo_id')
    .innerJoin('pull_requests', (join) =>
      join
        .onRef('pull_requests.host_repo_id', '=', 'articles.host_repo_id')
        .onRef('pull_requests.number', '=', 'articles.number')
        .on(fitsRepository('pull_requests')),
    )
}

/** Whether the columns are filled that an article shows of its pull request: nodes of an older version leave them empty. */
export const isDescribed = sql<boolean>`pull_requests.described is not distinct from pull_requests.version`

/** The visible texts. */
export function shownTexts(db: QueryCreator<Schema>, audience: Audience) {
  return shownArticles(db, audience).innerJoin('article_texts', (join) =>
    join.onRef('article_texts.article_id', '=', 'articles.id').on(fitsRepository('article_texts')),
  )
}

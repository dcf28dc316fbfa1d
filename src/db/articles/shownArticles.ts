import type { QueryCreator } from 'kysely'
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

/** The visible texts of the articles of `shownArticles`. */
export function shownTexts(db: QueryCreator<Schema>, audience: Audience) {
  return shownArticles(db, audience).innerJoin('article_texts', (join) =>
    join.onRef('article_texts.article_id', '=', 'articles.id').on(fitsRepository('article_texts')),
  )
}

import type { QueryCreator } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { type Audience, fitsRepository, shownTo } from '../visibility.ts'

/** The articles of repositories that may be shown, each with its pull request. Their texts may be hidden all the same. */
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

/** The texts that may be shown. */
export function shownTexts(db: QueryCreator<Schema>, audience: Audience) {
  return shownArticles(db, audience).innerJoin('article_texts', (join) =>
    join.onRef('article_texts.article_id', '=', 'articles.id').on(fitsRepository('article_texts')),
  )
}

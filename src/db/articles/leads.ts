import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Audience } from '../visibility.ts'
import { shownTexts } from './shownArticles.ts'

/** A pull request by the name of its repository. */
export interface NamedPull {
  owner: string
  repo: string
  prNumber: number
}

interface FoundLead {
  /** The index of the pull request. */
  at: number
  lead: string
}

/**
 * The leads of the visible articles about these pull requests, each in the given language, else in another one. After a
 * rename two repositories may have the same name: the last verified one counts.
 */
export async function findLeads(db: Kysely<Schema>, audience: Audience, pulls: NamedPull[], language: string) {
  if (pulls.length === 0) return []
  const owners = pulls.map(({ owner }) => owner.toLowerCase())
  const names = pulls.map(({ repo }) => repo.toLowerCase())
  const numbers = pulls.map(({ prNumber }) => prNumber)
  // A lateral lookup per pull request: for a plain join, Postgres would scan small tables in full.
  const text = shownTexts(db, audience)
    .where(sql<boolean>`lower(repositories.owner) = pulls.owner and lower(repositories.name) = pulls.name`)
    .where(sql<boolean>`articles.number = pulls.number`)
    .where('article_texts.lead', 'is not', null)
    .orderBy('repositories.proven_at', 'desc')
    .orderBy(sql`article_texts.language = ${language}`, 'desc')
    .orderBy('article_texts.language')
    .limit(sql.lit(1))
    .select('article_texts.lead')
  const { rows } = await sql<FoundLead>`
    select (pulls.place - 1)::integer as at, text.lead
    from unnest(${owners}::text[], ${names}::text[], ${numbers}::integer[])
      with ordinality as pulls (owner, name, number, place)
    cross join lateral (${text}) text`.execute(db)
  return rows
}

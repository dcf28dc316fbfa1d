import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { endJobs } from '../../db/admin/jobs.ts'
import { insertJob, queuedJob } from '../../db/articles/articleJobs.ts'
import { findTexts } from '../../db/articles/articles.ts'
import { deleteArticle as deleteRows } from '../../db/articles/deleteArticle.ts'
import { findPull } from '../../db/hiding/hide.ts'
import { findHead } from '../../db/pulls/heads.ts'
import type { Schema } from '../../db/schema/schema.ts'
import type { Config } from '../../runtime/config/config.ts'
import { withSender } from '../../runtime/jobs/queue.ts'
import { maxJobSeconds } from '../articles/startJob.ts'
import { textKeyOf } from '../articles/textKey.ts'
import { CANCELED, requirePublic } from './jobs.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

type ArticleKey = Parameters<typeof findPull>[1]

/** Deletes an article in all languages, and ends the jobs that write it. Later it may be written again, on request. */
export async function deleteArticle(db: Kysely<Schema>, key: ArticleKey, operator: Operator): Promise<Act> {
  const { pull, id } = await requireArticle(db, key)
  const act = { ...operator, act: 'delete article', subject: subjectOf(pull, id) }
  const { host_repo_id, number } = pull
  await perform(db, act, async (trx) => {
    await endJobs(trx, { host_repo_id, number }, CANCELED, operator.at)
    if (!(await deleteRows(trx, { id, host_repo_id }))) throw noSuchArticle()
  })
  return act
}

interface Regeneration {
  act: Act
  jobId: string
  /** The languages whose texts were translated from the one that is written again. */
  translations: string[]
}

/**
 * Has a text written again, although it is current: by default, the one that the others were translated from. It counts
 * against nobody's quota.
 */
export async function regenerate(
  db: Kysely<Schema>,
  config: Config,
  { key: articleKey, language: wanted }: { key: ArticleKey; language: string | undefined },
  operator: Operator,
): Promise<Regeneration> {
  const { pull, id } = await requireArticle(db, articleKey)
  requirePublic(pull)
  const texts = await findTexts(db, pull)
  const text = wanted
    ? texts.find(({ language }) => language === wanted)
    : (texts.find(({ translated_from }) => translated_from === null) ?? texts[0])
  const head = await findHead(db, pull.host_repo_id, pull.number)
  if (!text || !head?.head_sha)
    throw new AdminError(`There is no text in this language, only: ${texts.map(({ language }) => language).join(', ')}`)
  const at = { host_repo_id: pull.host_repo_id, head_sha: head.head_sha }
  const key = textKeyOf({ askModel: config.model, config }, at, { number: pull.number, language: text.language })
  const act = { ...operator, act: 'regenerate article', subject: `${subjectOf(pull, id)} in ${key.language}` }
  const jobId = randomUUIDv7()
  await withSender(db, (send) =>
    perform(db, act, async (trx) => {
      if (!(await insertJob(trx, { ...queuedJob(jobId, key, operator.at), forced: true, session_id: null })))
        throw new AdminError('A job writes this text already.')
      await send(trx, { jobId }, { maxSeconds: maxJobSeconds({ config }), isAutomatic: false })
    }),
  )
  const translations = texts.filter(({ translated_from }) => translated_from === key.language)
  return { act, jobId, translations: translations.map(({ language }) => language) }
}

async function requireArticle(db: Kysely<Schema>, key: ArticleKey) {
  const pull = await findPull(db, key)
  if (!pull?.article_id) throw noSuchArticle()
  return { pull, id: pull.article_id }
}

function subjectOf({ owner, name, number }: { owner: string; name: string; number: number }, id: string): string {
  return `${owner}/${name}#${number} (${id})`
}

function noSuchArticle(): AdminError {
  return new AdminError('There is no such article.')
}

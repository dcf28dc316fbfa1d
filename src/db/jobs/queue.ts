import { type Kysely, sql } from 'kysely'
import { fromKysely, PgBoss } from 'pg-boss'
import type { Schema } from '../schema/schema.ts'

export const ARTICLES_QUEUE = 'articles'

/** A job whose worker has sent no heartbeat for this long goes to another worker. */
const HEARTBEAT_SECONDS = 15
const SUPERVISE_SECONDS = 15
/** The jobs do not depend on each other, so the queue rarely needs to look for dependent jobs. */
const FLOW_SECONDS = 24 * 60 * 60
/** For jobs sent without their own time limit. */
const DEFAULT_JOB_SECONDS = 20 * 60
/** With exponential backoff, a job is retried for about a quarter of an hour. */
const MAX_RETRIES = 20
const MAX_RETRY_DELAY_SECONDS = 60
/** An arbitrary advisory lock number of our own. */
const LOCK = 7_081_204

const OPTIONS = {
  retryLimit: MAX_RETRIES,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: MAX_RETRY_DELAY_SECONDS,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  expireInSeconds: DEFAULT_JOB_SECONDS,
  deleteAfterSeconds: 24 * 60 * 60,
}

/** Migrates the queue's own schema, on one node at a time. */
export async function installQueue(db: Kysely<Schema>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${LOCK})`.execute(connection)
    try {
      await install(connection)
    } finally {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
    }
  })
}

async function install(db: Kysely<Schema>): Promise<void> {
  const boss = queueOver(db, { migrate: true, createSchema: true, supervise: false })
  const failed = Promise.withResolvers<never>()
  boss.on('error', failed.reject)
  await Promise.race([prepare(boss), failed.promise])
}

async function prepare(boss: PgBoss): Promise<void> {
  await boss.start()
  try {
    if (await boss.getQueue(ARTICLES_QUEUE)) await boss.updateQueue(ARTICLES_QUEUE, OPTIONS)
    else await boss.createQueue(ARTICLES_QUEUE, OPTIONS)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/** `supervise`: whether this process finds the jobs whose workers are gone. */
export function openQueue(db: Kysely<Schema>, { supervise = true } = {}): PgBoss {
  return queueOver(db, { migrate: false, createSchema: false, supervise })
}

/** Moves a queued job ahead of automatic ones, because a user has requested it. */
export async function raisePriority(db: Kysely<Schema>, jobId: string): Promise<void> {
  await sql`
    update pgboss.job set priority = 0
    where name = ${ARTICLES_QUEUE} and state < 'active' and priority < 0 and data ->> 'jobId' = ${jobId}`.execute(db)
}

/** Removes jobs from the queue. If one is running, its worker notices with the next heartbeat and stops. */
export async function cancelInQueue(db: Kysely<Schema>, jobIds: string[]): Promise<void> {
  await sql`
    update pgboss.job set state = 'cancelled', completed_on = now()
    where name = ${ARTICLES_QUEUE} and state < 'completed' and data ->> 'jobId' = any(${jobIds}::text[])`.execute(db)
}

export async function isQueueReady(db: Kysely<Schema>): Promise<boolean> {
  const { rows } = await sql`select name from pgboss.queue where name = ${ARTICLES_QUEUE}`.execute(db)
  return rows.length > 0
}

function queueOver(
  db: Kysely<Schema>,
  options: { migrate: boolean; createSchema: boolean; supervise: boolean },
): PgBoss {
  return new PgBoss({
    db: withRollback(db),
    ...options,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    flowIntervalSeconds: FLOW_SECONDS,
    // This option only emits warnings, and nothing listens to them.
    monitorVacuum: false,
  })
}

/**
 * pg-boss runs its maintenance as one multi-statement text with its own transaction. If that fails half-way, the
 * transaction would stay open on a pooled connection.
 */
function withRollback(db: Kysely<Schema>): ReturnType<typeof fromKysely> {
  return {
    executeSql: (text, values) =>
      db.connection().execute(async (connection) => {
        try {
          return await fromKysely(connection).executeSql(text, values)
        } catch (error) {
          await sql`rollback`.execute(connection).catch(() => {})
          throw error
        }
      }),
  }
}

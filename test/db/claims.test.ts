import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import {
  claimJob,
  failJob,
  findJobStates,
  insertJob,
  putBackJob,
  reportProgress,
  succeed,
} from '../../src/db/articles/articleJobs.ts'
import { Problem } from '../../src/errors.ts'
import { aPull } from '../support/articles.ts'
import { pullsOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { db } = service.ctx
await pullsOf(service).ingested(aPull(service), await service.signedUp('reader'))
const pull = await db.selectFrom('pull_requests').select(['host_repo_id', 'number']).executeTakeFirstOrThrow()
const now = new Date()
const failure = new Problem('GENERATION_FAILED', 'It failed.')

async function aJob(language: string): Promise<string> {
  const id = randomUUID()
  const text = { head_sha: 'a', language, kind: 'outline' as const, prompt_version: '1' }
  const times = { created_at: now, updated_at: now }
  await insertJob(db, {
    id,
    ...pull,
    ...text,
    forced: false,
    status: 'queued',
    stage: 'queued',
    progress: 0,
    attempt: 0,
    ...times,
  })
  return id
}

test('once another worker has claimed a job, the first worker cannot change the job any more', async () => {
  const id = await aJob('ja')
  const [first, second] = [await claimJob(db, id, now), await claimJob(db, id, now)]
  if (!first || !second) throw new Error('The job was not claimed.')
  expect([first.attempt, second.attempt, second.lost_claims]).toEqual([1, 2, 1])
  const changes = [
    await reportProgress(db, first, 'writing', 0.5, now),
    await succeed(db, first, randomUUID(), now),
    await failJob(db, first, failure, null, now),
  ]
  await putBackJob(db, first, now)
  expect(changes).toEqual([false, false, false])
  expect(await findJobStates(db, [id])).toMatchObject([{ status: 'running', stage: 'reading', progress: 0 }])
  expect(await reportProgress(db, second, 'writing', 0.5, now)).toBe(true)
})

test('a job that was put back can be claimed again, and a job that ended cannot', async () => {
  const id = await aJob('en')
  const first = await claimJob(db, id, now)
  if (!first) throw new Error('The job was not claimed.')
  await putBackJob(db, first, now)
  const second = await claimJob(db, id, now)
  expect(second).toMatchObject({ attempt: 2, lost_claims: 0 })
  expect(second && (await failJob(db, second, failure, null, now))).toBe(true)
  expect(await claimJob(db, id, now)).toBeUndefined()
})

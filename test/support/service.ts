import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, inject } from 'vitest'
import { type FakeHost, startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { createApp } from '../../src/app.ts'
import type { Context } from '../../src/context.ts'
import { createContext, openThreads } from '../../src/createContext.ts'
import { startWriting } from '../../src/domain/articles/worker.ts'
import { createLogger } from '../../src/logger.ts'
import { readConfig } from '../../src/runtime/config/config.ts'
import { keptByBrowsers } from './browser.ts'
import { createClient } from './client.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import type { FakeIssuer } from './fakeIssuer.ts'

export type Service = Awaited<ReturnType<typeof startService>>

/** Worker threads, shared by all services of a process because a thread is slow to start. */
const threads = openThreads()
/** The machine's real clock, even while a test fakes dates. */
const machineClock = Date.now

interface Options {
  env?: Record<string, string>
  /** Bearer tokens are JWTs of this issuer. */
  issuer?: FakeIssuer
  /** Sign-in uses the OAuth pages of the fake host. */
  hasPages?: boolean
  /** How often a node polls for jobs of other nodes. */
  jobPollMs?: number
  /** Whether requests are refused while the event loop lags. Other tests must not depend on how busy the machine is. */
  shedsWhenLagging?: boolean
  /** How far the clock of the node's machine is ahead. */
  skewMs?: number
  /** Starts another node on the same database and host. */
  beside?: { host: FakeHost; database: TestDatabase }
}

/** The whole service with its own database and a fake code host. Closing it checks for leaked tokens. */
export async function startService({
  env = {},
  issuer,
  beside,
  jobPollMs,
  skewMs = 0,
  hasPages = false,
  shedsWhenLagging = false,
}: Options = {}) {
  const host = beside?.host ?? (await startFakeHost())
  const database = beside?.database ?? (await createTestDatabase(inject('template')))
  const clock = { offset: 0 }
  const logged: string[] = []
  const apiTokens: string[] = []
  const log = createLogger('trace', { destination: { write: (line) => void logged.push(line) } })
  const config = readConfig({
    CODE_HOST_API_URL: host.url,
    RATE_LIMITS: 'off',
    ARTICLE_QUOTA_PER_DAY: '1000',
    MODEL_TOKENS_PER_DAY: '1000000000',
    SIGN_UP: 'open',
    ...(hasPages && { CODE_HOST_WEB_URL: host.url }),
    ...database.env,
    ...issuer?.env,
    ...env,
  })
  const ctx = await createContext(config, log, {
    time: () => Date.now() + skewMs + clock.offset,
    machineClock: () => machineClock() + skewMs,
    jobPollMs,
  })
  ctx.threads = threads
  if (!shedsWhenLagging)
    ctx.loopDelay = { count: 0, percentile: () => 0, reset() {}, enable: () => true, disable: () => true }
  // Waits for the index up to 20 times as long: on a busy machine, indexing may take longer than readers wait for it.
  const { catchUp } = ctx.indexing
  ctx.indexing.catchUp = async () => {
    for (let waits = 0; waits < 20; waits++) await catchUp()
  }
  const app = await createApp(ctx)
  await startWriting(ctx)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const client = createClient(url)

  async function leave(): Promise<void> {
    await ctx.close()
    if (beside) return
    await database.drop()
    await host.close()
  }

  return {
    ...client,
    url,
    ctx,
    host,
    database,
    logged,
    advance(milliseconds: number): void {
      clock.offset += milliseconds
    },
    /** Signs up a new user and returns a token. */
    async signedUp(login: string): Promise<string> {
      const token = host.token(login)
      const { status } = await client.call('signUp', { token })
      expect(status).toBe(201)
      return token
    },
    /** Creates an API token for the account of another token. */
    async apiToken(creator: string, scopes = ['write'], expiresAt?: string): Promise<{ id: string; token: string }> {
      const body = { name: 'For a test', scopes, ...(expiresAt && { expiresAt }) }
      const { status, body: created } = await client.call('createToken', { token: creator, body })
      expect(status).toBe(201)
      apiTokens.push(created.data.token)
      return created.data
    },
    async close() {
      await app.close()
      const secrets = [
        ...apiTokens,
        ...host.tokens(),
        ...host.oauth.issued,
        ...(issuer?.issued ?? []),
        ...keptByBrowsers,
      ]
      await expectNoSecrets(secrets, logged.join(''), await dump(ctx))
      await leave()
    },
    /** Closes without the leak check, for a service whose database is gone. */
    async abandon() {
      await app.close()
      await leave()
    },
  }
}

export async function dump({ db }: Context): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class
    where relkind in ('r', 'm') and relpersistence <> 't'
      and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
  `.execute(db)
  const all = tables.map(({ name }) => sql`select t::text as text from ${sql.raw(name)} t`)
  const { rows } = await sql<{ text: string }>`${sql.join(all, sql` union all `)}`.execute(db)
  return rows.map(({ text }) => text).join('\n')
}

export async function expectNoSecrets(secrets: string[], ...texts: string[]): Promise<void> {
  const formsOf = (secret: string) => [
    secret,
    ...(['hex', 'base64'] as const).map((form) => Buffer.from(secret).toString(form)),
  ]
  // Groups the secrets by their first characters, which most of them share, because hundreds of searches take long.
  const forms = Map.groupBy(new Set(secrets.flatMap(formsOf)), (form) => form.slice(0, 8))
  const leaked = [...forms].flatMap(([beginning, group]) => texts.flatMap((text) => formsIn(text, beginning, group)))
  expect(leaked).toEqual([])
}

/** The forms that a text contains. All of them have the same beginning. */
function formsIn(text: string, beginning: string, forms: string[]): string[] {
  const found: string[] = []
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + 1))
    found.push(...forms.filter((form) => text.startsWith(form, at)))
  return found
}

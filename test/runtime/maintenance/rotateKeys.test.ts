import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { startFakeHost } from '../../../scripts/fakeHost/fakeHost.ts'
import { findSealedByOthers, replaceSealedRow } from '../../../src/db/accounts/sealedRows.ts'
import { sealedForRenewalOf } from '../../../src/domain/accounts/renewal.ts'
import { rotateKeys } from '../../../src/domain/accounts/rotateKeys.ts'
import { keyIdOf, seal } from '../../../src/domain/accounts/seal.ts'
import { Secret } from '../../../src/lib/secret.ts'
import { openBrowser } from '../../support/browser.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startService } from '../../support/service.ts'

const host = await startFakeHost()
const database = await createTestDatabase(inject('template'))
afterAll(async () => {
  await database.drop()
  await host.close()
})

const FIRST = '00000000-0000-0000-0000-000000000000'
const [oldKey, newKey] = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64'))
const node = (keys: (string | undefined)[]) =>
  startService({ beside: { host, database }, env: { TOKEN_ENCRYPTION_KEY: keys.join(',') } })

test('re-encrypts all stored secrets with the new key, so that the old key is no longer needed', async () => {
  host.repository({ id: 1, owner: 'acme', name: 'shop' })
  const first = await node([oldKey])
  const browser = openBrowser(first.url)
  const token = host.token('keeper')
  await browser.submit('/sign-in', { token })
  const feed = /\/feeds\/favorites\/[\w-]+/.exec(await (await browser.submit('/read/feed', {})).text())?.[0]
  const body = { hostAccessToken: host.token('keeper') }
  expect((await first.call('saveHostToken', { token, body })).status).toBe(200)

  const keys = [new Secret(newKey ?? ''), new Secret(oldKey ?? '')]
  // Another token is saved after the row was read, so the row that was read must not be written back.
  const found = await findSealedByOthers(first.ctx.db, 'host_tokens', keyIdOf(keys), { after: FIRST, limit: 1 })
  const row = found?.rows[0]
  if (!row) throw new Error('Nothing was saved.')
  expect((await first.call('saveHostToken', { token, body: { hostAccessToken: host.token('keeper') } })).status).toBe(
    200,
  )
  expect(await replaceSealedRow(first.ctx.db, 'host_tokens', row, seal(keys, 'stale', row.id))).toBe(false)
  const session = await first.ctx.db
    .selectFrom('sessions')
    .where('is_cookie', '=', true)
    .select('id')
    .executeTakeFirst()
  const session_id = session?.id ?? ''
  const renewal = seal([new Secret(oldKey ?? '')], 'a refresh token', sealedForRenewalOf(session_id))
  const times = { access_expires_at: null, refused_at: null }
  await first.ctx.db
    .insertInto('refresh_tokens')
    .values({ session_id, ...renewal, ...times })
    .execute()
  // Like most sessions, these have no encrypted token.
  await sql`
    insert into sessions (id, token_hash, revocation_hash, issuer, subject, created_at, verified_at, is_cookie)
    select gen_random_uuid(), sha256(n::text::bytea), sha256(n::text::bytea), 'host', n::text, now(), now(), false
    from generate_series(1, 2500) n`.execute(first.ctx.db)
  const moved = await rotateKeys(first.ctx.db, keys, () => {})
  expect(moved).toEqual([
    { table: 'host_tokens', moved: 1, unreadable: 0 },
    { table: 'sessions', moved: 1, unreadable: 0 },
    { table: 'refresh_tokens', moved: 1, unreadable: 0 },
    { table: 'feed_addresses', moved: 1, unreadable: 0 },
  ])
  expect((await rotateKeys(first.ctx.db, keys, () => {})).map(({ moved }) => moved)).toEqual([0, 0, 0, 0])
  const [lost] = await rotateKeys(first.ctx.db, [new Secret(Buffer.alloc(32, 'c').toString('base64'))], () => {})
  expect(lost).toEqual({ table: 'host_tokens', moved: 0, unreadable: 1 })
  await first.close()

  const second = await node([newKey])
  const cookie = `pullpress_session=${browser.cookies.get('pullpress_session')}`
  const page = await fetch(`${second.url}/read/me`, { headers: { cookie } })
  expect(page.status).toBe(200)
  expect(await page.text()).toContain(feed)
  await second.close()
})

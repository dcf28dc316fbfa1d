import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeEach, expect, inject, test } from 'vitest'
import { openDatabase } from '../../src/db/engine/open.ts'
import { prepared, preparedInShapes } from '../../src/db/engine/prepared/prepared.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import { Secret } from '../../src/lib/secret.ts'
import { createTestDatabase } from '../support/database.ts'

const { env, drop } = await createTestDatabase(inject('template'))
const url = env['DATABASE_URL']
const sent: string[] = []
const { db, connections, close } = await openDatabase({
  databaseUrl: url === undefined ? undefined : new Secret(url),
  dataDir: env['DATA_DIR'] ?? '',
  preparesStatements: env['PREPARED_STATEMENTS'] !== 'off',
  onQuery: (text) => void sent.push(text),
  onConnectionError: console.error,
})
const isNamed = url !== undefined && env['PREPARED_STATEMENTS'] !== 'off'
afterAll(async () => {
  await close()
  await drop()
})
beforeEach(() => void sent.splice(0))

interface Values {
  text: string | null
  count: number
  isOn: boolean
  time: Date
  bytes: Buffer
}

const echo = prepared((on: Kysely<Schema>, from: Values) =>
  on.selectNoFrom([
    sql<string | null>`${from.text}::text`.as('text'),
    sql<number>`${from.count}::bigint`.as('count'),
    sql<boolean>`${from.isOn}::boolean`.as('isOn'),
    sql<Date>`${from.time}::timestamptz`.as('time'),
    sql<Buffer>`${from.bytes}::bytea`.as('bytes'),
    sql<string>`${from.text}::text || '!'`.as('twice'),
  ]),
)
const values = { text: 'a', count: 2 ** 53 - 1, isOn: true, time: new Date(1_000_000), bytes: Buffer.from([0, 255]) }

test('a prepared query returns the same values on its first run and on later runs', async () => {
  const expected = [{ ...values, twice: 'a!' }]
  for (let run = 0; run < 3; run++) expect(await echo(db, values)).toEqual(expected)
  expect(await echo(db, { ...values, text: null })).toEqual([{ ...values, text: null, twice: null }])
})

test('passes times of any year to the query unchanged', async () => {
  for (const year of [-4000, 0, 1, 99, 9999, 10_000, 275_000]) {
    const time = new Date(0)
    time.setUTCFullYear(year)
    const since = prepared((on: Kysely<Schema>, from: { time: Date }) =>
      on.selectNoFrom(sql<number>`extract(epoch from ${from.time}::timestamptz)::double precision`.as('seconds')),
    )
    for (let run = 0; run < 2; run++) expect(await since(db, { time })).toEqual([{ seconds: time.getTime() / 1000 }])
  }
})

test('passes arrays to the query unchanged', async () => {
  const echoed = prepared((on: Kysely<Schema>, from: { texts: (string | null)[]; times: Date[] }) =>
    on.selectNoFrom([
      sql<string[]>`${from.texts}::text[]`.as('texts'),
      sql<Date>`(${from.times}::timestamptz[])[2]`.as('second'),
    ]),
  )
  const texts = ['a,b', '"quoted"', 'back\\slash\\"', '{}', 'null', '', ' 日本語', null]
  for (let run = 0; run < 2; run++)
    expect(await echoed(db, { texts, times: [new Date(0), new Date(1)] })).toEqual([{ texts, second: new Date(1) }])
  expect(await echoed(db, { texts: [], times: [] })).toEqual([{ texts: [], second: null }])
})

test('sends a parameter once, even if the query uses it twice', async () => {
  await echo(db, values)
  expect(sent).toHaveLength(1)
  expect(sent[0]).toContain('$5')
  expect(sent[0]).not.toContain('$6')
})

test.runIf(isNamed)('prepares a statement only once per connection', async () => {
  for (let run = 0; run < 3; run++) await echo(db, values)
  const { rows } = await sql<{ runs: number }>`
    select generic_plans + custom_plans as runs from pg_prepared_statements where statement = ${sent[0]}
  `.execute(db)
  expect(rows).toEqual([{ runs: expect.any(Number) }])
  expect(Number(rows[0]?.runs)).toBeGreaterThanOrEqual(3)
})

test('keeps the connection open after a statement failed', async () => {
  const divide = prepared((on: Kysely<Schema>, from: { by: number }) =>
    on.selectNoFrom(sql<number>`1 / ${from.by}::integer`.as('result')),
  )
  expect(await divide(db, { by: 1 })).toEqual([{ result: 1 }])
  const { open } = connections()
  await expect(divide(db, { by: 0 })).rejects.toMatchObject({ code: '22012' })
  expect(await divide(db, { by: 1 })).toEqual([{ result: 1 }])
  expect(connections().open).toBe(open)
})

test('a prepared query runs inside the transaction that it is given', async () => {
  const setting = prepared((on: Kysely<Schema>, from: { name: string }) =>
    on.selectNoFrom(sql<string>`current_setting(${from.name}::text, true)`.as('value')),
  )
  await db.transaction().execute(async (trx) => {
    await sql`set local pullpress.test = 'inside'`.execute(trx)
    expect(await setting(trx, { name: 'pullpress.test' })).toEqual([{ value: 'inside' }])
  })
  expect(await setting(db, { name: 'pullpress.test' })).not.toEqual([{ value: 'inside' }])
})

test('the settings of a query do not affect other queries', async () => {
  const divided = (settings?: Record<string, string>) =>
    prepared(
      (on: Kysely<Schema>, from: { by: number }) =>
        on.selectNoFrom([
          sql<string>`current_setting('statement_timeout')`.as('timeout'),
          sql<string>`current_setting('enable_seqscan')`.as('seqscan'),
          sql<number>`4 / ${from.by}::integer`.as('result'),
        ]),
      settings,
    )
  const [usual, special] = [divided(), divided({ statement_timeout: '2s', enable_seqscan: 'off' })]
  const [before] = await usual(db, { by: 4 })
  expect(before).toMatchObject({ seqscan: 'on', result: 1 })
  for (const by of [4, 2, 1]) {
    expect(await special(db, { by })).toEqual([{ timeout: '2s', seqscan: 'off', result: 4 / by }])
    await expect(special(db, { by: 0 })).rejects.toMatchObject({ code: '22012' })
    expect(await usual(db, { by: 4 })).toEqual([before])
  }
  await db.transaction().execute(async (trx) => {
    expect(await special(trx, { by: 4 })).toEqual([{ timeout: '2s', seqscan: 'off', result: 1 }])
  })
  expect(await usual(db, { by: 4 })).toEqual([before])
})

test('builds the SQL of a query once for each shape', async () => {
  const built: boolean[] = []
  const echoed = preparedInShapes((on: Kysely<Schema>, shape: { isLoud: boolean }, from: { text: string }) => {
    built.push(shape.isLoud)
    const text = sql<string>`${from.text}::text`
    return on.selectNoFrom((shape.isLoud ? sql<string>`upper(${text})` : text).as('text'))
  })
  for (let run = 0; run < 2; run++) {
    expect(await echoed(db, { isLoud: true }, { text: 'a' })).toEqual([{ text: 'A' }])
    expect(await echoed(db, { isLoud: false }, { text: 'b' })).toEqual([{ text: 'b' }])
  }
  expect(built).toEqual([true, false])
})

setFlagsFromString('--expose-gc')
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc')
const repeated = prepared((on: Kysely<Schema>, from: { text: string }) =>
  on.selectNoFrom(sql<string>`repeat(${from.text}::text, 20000)`.as('text')),
)

test.each<[string, () => Promise<unknown>]>([
  ['a prepared query', () => repeated(db, { text: 'a' })],
  ['any other query', () => sql`select repeat(${'a'}::text, 20000) as text`.execute(db)],
])('a minor garbage collection frees the rows of %s', async (_, run) => {
  const runs = 200
  const collectTwice = () => {
    // Objects that survive two minor collections are only freed by a full one, so run no more than two.
    collect({ type: 'minor' })
    collect({ type: 'minor' })
    return process.memoryUsage().heapUsed
  }
  for (let i = 0; i < runs; i++) await run()
  const before = collectTwice()
  for (let i = 0; i < runs; i++) await run()
  expect(collectTwice() - before).toBeLessThan((runs * 20_000) / 2)
})

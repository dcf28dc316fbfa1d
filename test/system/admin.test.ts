import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { sql } from 'kysely'
import { afterAll, expect, inject, test } from 'vitest'
import { adminOf, PUBLIC_URL } from '../support/admin.ts'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { openBrowser } from '../support/browser.ts'
import { asAdmin, createTestDatabase, databaseUrl } from '../support/database.ts'
import { behaves } from '../support/fakeModel.ts'

const service = await startWritingService(
  { MODEL_TOKENS_PER_DAY: '10000000', MODEL_PRICES_PER_MILLION_TOKENS: '2,10' },
  { hasPages: true },
)
afterAll(() => service.close())
const { db } = service.ctx
const { generated } = articlesOf(service)

const { run, runProcess, done, listed, acts } = adminOf(service)
const read = async (articleId: string) => (await service.call('getArticleById', { params: { articleId } })).status

test('hides and shows an article that is named by its id, its page or its pull request', async () => {
  const place = aPull(service)
  const token = await service.signedUp('writer')
  const { id } = await generated(place, token, { language: 'ja' })
  const page = `${PUBLIC_URL}/read/articles/${id}?language=ja`
  const pull = `${service.host.url}/${place.replace('#', '/pull/')}/files`
  for (const name of [id.toUpperCase(), page, place, pull]) {
    const fields = { act: 'hide article', subject: `${place} (${id})`, by: 'mika', note: 'a complaint' }
    expect(await listed('hide', 'article', name, '--note', 'a complaint', '--by', 'mika')).toMatchObject([fields])
    expect([name, await read(id)]).toEqual([name, 404])
    expect(await done('unhide', 'article', name)).toBe(`Done: unhide article: ${place} (${id})\n`)
    expect([name, await read(id)]).toEqual([name, 200])
  }
  expect(await done('hidden')).toBe('None.\n')
  await done('hide', 'article', id, '--note', 'a complaint', '--by', 'mika')
  expect(await listed('hidden')).toMatchObject([{ number: 1, article_id: id, by: 'mika', note: 'a complaint' }])
  expect(await done('hidden')).toMatch(new RegExp(`article +${place} +${id} .*mika +a complaint`))
  await done('unhide', 'article', id)
  const recorded = await acts()
  expect(recorded).toHaveLength(10)
  expect(recorded.at(-1)).toMatchObject({ act: 'unhide article', by: userInfo().username, note: null })
})

test('as a process, prints the same to its output and its errors, and exits with the same code', async () => {
  const place = aPull(service)
  const { id } = await generated(place, await service.signedUp('operator'), { language: 'ja' })
  const { code, stdout, stderr } = await runProcess(['hide', 'article', id, '--by', 'mika'])
  expect([code, stderr, await read(id)]).toEqual([0, '', 404])
  expect(stdout).toBe(`Done: hide article: ${place} (${id})\n`)
  for (const args of [['hidden'], ['hidden', '--json'], ['hide', 'article', id], ['nothing'], ['--help']])
    expect(await runProcess(args)).toEqual(await run(args))
  await done('unhide', 'article', id)
})

test('hides and shows a repository', async () => {
  const place = aPull(service)
  const token = await service.signedUp('owner')
  const { id } = await generated(place, token, { language: 'ja' })
  const name = place.split('#')[0] ?? ''
  await done('hide', 'repository', name.toUpperCase())
  expect(await read(id)).toBe(404)
  expect(await done('hidden')).toMatch(new RegExp(`repository +${name} `))
  // The service itself removes the hidden articles from lists and searches, some time later.
  const cards = () => db.selectFrom('article_cards').where('article_id', '=', id).select('language').execute()
  await expect.poll(cards, { timeout: 60_000, interval: 500 }).toEqual([])
  await done('unhide', 'repository', name)
  expect(await read(id)).toBe(200)
  await expect.poll(cards, { timeout: 60_000, interval: 500 }).toHaveLength(1)
})

test('ends all sessions of a user, and no others', async () => {
  const token = await service.signedUp('leaver')
  const second = service.host.token('leaver')
  await service.call('getCurrentUser', { token: second })
  const browser = openBrowser(service.url)
  const opener = service.host.token('leaver')
  await browser.submit('/sign-in', { token: opener })
  const stayer = await service.signedUp('stayer')
  const status = async (bearer: string) => (await service.call('getCurrentUser', { token: bearer })).status
  expect([await status(token), await status(second), (await browser.ask('/users/me')).status]).toEqual([200, 200, 200])
  expect(await done('end-sessions', 'LEAVER', '--note', 'lost laptop')).toMatch(
    /^Done: end sessions: user \S+\nsessions: 3\n$/,
  )
  expect([await status(token), await status(second), (await browser.ask('/users/me')).status]).toEqual([401, 401, 401])
  expect(await status(opener)).toBe(401)
  expect(await status(stayer)).toBe(200)
  expect((await acts()).at(-1)).toMatchObject({ note: 'lost laptop', subject: expect.not.stringContaining('leaver') })
})

test('lists users in pages, with the articles and model tokens that each has used', async () => {
  const token = await service.signedUp('asking')
  await generated(aPull(service), token, { language: 'ja' })
  const [job] = await db
    .selectFrom('model_spending')
    .select(['is_automatic', 'is_written', 'input_tokens', 'output_tokens'])
    .orderBy('job_id', 'desc')
    .limit(1)
    .execute()
  const used = { input_tokens: expect.any(Number), output_tokens: expect.any(Number) }
  expect(job).toEqual({ is_automatic: false, is_written: true, ...used })
  const no = behaves.says('no')
  service.model.next(no, no, no)
  expect((await articlesOf(service).generate(aPull(service), token)).status).toBe(422)
  const [first] = await listed('users', '--limit', '1')
  expect(first).toMatchObject({ login: 'asking', articles: 1, active_at: expect.any(String) })
  expect(first.input_tokens).toBeGreaterThan(job?.input_tokens ?? 0)
  expect(first.output_tokens).toBeGreaterThan(job?.output_tokens ?? 0)
  const text = await done('users', '--limit', '1')
  expect(text).toMatch(/^LOGIN +HOST ID/)
  expect(text).toContain(`More: --after ${first.id}`)
  const [next] = await listed('users', '--limit', '1', '--after', first.id)
  expect(next.login).toBe('stayer')
})

test('lists articles, model tokens and costs by day, month, repository, user or model', async () => {
  const rows = await db.selectFrom('model_spending').select(['is_written', 'input_tokens', 'cost']).execute()
  const tokens = rows.reduce((sum, row) => sum + row.input_tokens, 0)
  const [today, ...others] = await listed('spending')
  expect(others).toEqual([])
  expect(today).toMatchObject({ group: new Date().toISOString().slice(0, 10), automatic: 0, input_tokens: tokens })
  expect(today.requested).toBe(rows.filter((row) => row.is_written).length)
  expect(today.cost).toBeCloseTo(
    rows.reduce((sum, row) => sum + (row.cost ?? 0), 0),
    9,
  )
  await sql`
    insert into model_spending
    select gen_random_uuid(), current_date - 2, 'other', host_repo_id, null, true, true, 7, 3, 0, 0, 0, null
    from pull_requests limit 1`.execute(db)
  expect(await listed('spending', '--days', '2')).toEqual([today])
  expect((await listed('spending', '--days', '3'))[1]).toMatchObject({
    ...{ requested: 0, automatic: 1, input_tokens: 7, output_tokens: 3, cost: 0, unpriced_tokens: 10 },
  })
  const text = await done('spending', '--per', 'model')
  expect(text).toMatch(
    /^MODEL +REQUESTED +AUTOMATIC +TOKENS IN +TOKENS OUT +COST\nfake-model .*\nother .* 0\.0000\nall +/,
  )
  expect(text).toContain('COST lacks 10 tokens of models without a price')
  expect((await listed('spending', '--per', 'user')).map(({ group }: { group: string }) => group)).toContain('asking')
})

test('lists reports of mistakes without control characters, and closes a report', async () => {
  const token = await service.signedUp('reporter')
  const { id: articleId } = await generated(aPull(service), token, { language: 'ja' })
  const params = { articleId, langCode: 'ja' }
  const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202egnorw\u2066 is\r wrong'
  const body = { description: `${hostile}\n${'長い説明。'.repeat(60)}`, quote: 'a \u001b[31mquote' }
  const { body: report } = await service.call('reportMistake', { token, params, body })
  const address = `${PUBLIC_URL}/read/articles/${articleId}?language=ja`
  const text = await done('mistakes')
  expect(text).toContain(report.data.id)
  expect(text).toContain(address)
  expect(text).toContain('reported by reporter')
  expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(160)
  const json = await done('mistakes', '--json')
  expect(json).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u)
  expect(JSON.parse(json)).toMatchObject([{ ...body, article: address, login: 'reporter', closed_at: null }])

  await done('close-mistake', report.data.id, '--note', 'fixed')
  expect(await done('mistakes')).toBe('None.\n')
  expect(await done('mistakes', '--all')).toContain('closed ')
  const again = await run(['close-mistake', report.data.id])
  expect([again.code, again.stderr]).toEqual([1, 'This report is closed already.\n'])
  expect((await acts()).at(-1)).toMatchObject({ act: 'close mistake', subject: report.data.id, note: 'fixed' })
})

test('records every act of an operator and lists the newest first', async () => {
  const recorded = await acts()
  const rows = await listed('log', '--limit', '10000')
  expect(rows.map(({ act, subject, by, note }: Record<string, string>) => ({ act, subject, by, note }))).toEqual(
    recorded.toReversed(),
  )
  const text = await done('log', '--limit', '2')
  expect(text.trim().split('\n')).toHaveLength(3)
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
})

test('exits with 1 and records nothing if the target is unknown or the act was already done', async () => {
  const before = await acts()
  const place = aPull(service)
  const { id } = await generated(place, await service.signedUp('repeating'), { language: 'ja' })
  const refused: [string[], string][] = [
    [['hide', 'article', crypto.randomUUID()], 'There is no such article'],
    [['hide', 'article', 'acme/nothing#1'], 'There is no such article'],
    [['hide', 'article', 'https://other.example.com/a/b/pull/1'], 'Name the article'],
    [['hide', 'repository', 'acme/nothing'], 'There is no such repository'],
    [['hide', 'repository', 'nothing'], 'Name the repository'],
    [['unhide', 'article', id], 'It is not hidden'],
    [['unhide', 'repository', place.split('#')[0] ?? ''], 'It is not hidden'],
    [['end-sessions', 'unknown'], 'There is no such user'],
    [['close-mistake', crypto.randomUUID()], 'There is no such report'],
    [['close-mistake', 'x'], 'There is no such report'],
  ]
  for (const [args, message] of refused) {
    const { code, stdout, stderr } = await run(args)
    expect([args, code, stdout]).toEqual([args, 1, ''])
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
  expect(await acts()).toEqual(before)
  await done('hide', 'article', id)
  expect((await run(['hide', 'article', id])).stderr).toBe('It is hidden already.\n')
  expect(await acts()).toHaveLength(before.length + 1)
})

test('prints the usage and exits with 2 if the arguments are wrong', async () => {
  for (const args of [
    [],
    ['nothing'],
    ['__proto__'],
    ['hide', 'article'],
    ['hide', 'thing', 'x'],
    ['users', 'more'],
    ['users', '--days', '3'],
    ['users', '--limit', '0'],
    ['users', '--per', 'day'],
    ['spending', '--per', 'year'],
    ['users', '--after', 'x'],
    ['users', '--note', 'x'],
    ['hide', 'article', 'x', '--unknown'],
    ['hide', 'article', 'x', '--note', ' '],
  ]) {
    const { code, stdout, stderr } = await run(args)
    expect([args, code, stdout]).toEqual([args, 2, ''])
    expect(stderr).toContain('Usage: npm run admin -- <command>')
  }
  expect(await done('--help')).toContain('Usage: npm run admin')
})

test('never migrates the database', async () => {
  const name = `pullpress_${randomBytes(6).toString('hex')}`
  await asAdmin(`create database ${name}`)
  const env = { DATABASE_URL: databaseUrl(name) }
  const { code, stderr } = await runProcess(['users'], env)
  expect([code, stderr]).toEqual([1, expect.stringContaining('is older than this version: run npm run migrate')])
  await asAdmin(`drop database ${name}`)
  const newer = await createTestDatabase(inject('template'))
  await asAdmin("insert into kysely_migration values ('9999_later', '2099-01-01T00:00:00Z')", newer.env['DATABASE_URL'])
  expect(await runProcess(['users'], newer.env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('newer version'),
  })
  await newer.drop()
})

test('resume ends the pauses of all nodes, and fails if nothing is paused', async () => {
  const { code, stderr } = await run(['resume'])
  expect([code, stderr]).toEqual([1, 'Nothing is paused.\n'])
  const token = await service.signedUp('waiting')
  service.model.next(behaves.status(429, { 'retry-after': '3600' }))
  const { generate } = articlesOf(service)
  expect((await generate(aPull(service), token)).body.error.code).toBe('MODEL_UNAVAILABLE')
  expect(await listed('resume', '--by', 'mika')).toMatchObject([{ act: 'resume', by: 'mika' }])
  expect((await generate(aPull(service), token)).status).toBe(200)
})

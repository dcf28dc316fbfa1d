import { afterAll, afterEach, expect, test } from 'vitest'
import type { FakeIssue, FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import { type Fault, faults } from '../../../scripts/fakeHost/faults.ts'
import { unpack } from '../../../src/db/engine/packed.ts'
import { expectShortTurns } from '../../support/longestTurn.ts'
import { pullsOf, repositoryOf } from '../../support/pulls.ts'
import { dump, startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { ingest, ingested, get } = pullsOf(service)
const token = await service.signedUp('hanako')
const { host } = service

const at = '2026-01-01T00:00:00Z'
const numbered = (...numbers: number[]): FakeIssue[] => numbers.map((number) => ({ number }))
const WEB = 'https://host.example.com'
let lastNumber = 0

interface Linked {
  number: number
  closes: boolean
}

/** The numbers of the issues that a pull request links to, marked with `closes` if it closes them. */
async function linkedBy(pull: Partial<FakePull>): Promise<string[]> {
  lastNumber += 1
  const name = `acme/links-${lastNumber}`
  const body = pull.body?.replaceAll('{name}', name).replaceAll('{NAME}', name.toUpperCase()) ?? null
  repositoryOf(service, name, { pulls: [{ number: 1, ...pull, body }], issues: numbered(2, 3, 4, 5, 6, 7, 8, 12) })
  const { linkedIssues } = await ingested(`${name}#1`, token)
  return linkedIssues.map(({ number, closes }: Linked) => (closes ? `closes ${number}` : `${number}`))
}

test('stores the contents of linked issues and returns them to readers', async () => {
  const body = `${'x'.repeat(19_999)}🎉`
  const issues: FakeIssue[] = [
    { number: 2, title: 'It rings twice', body: 'Always.', author: null, state: 'closed', labels: ['bug'] },
    { number: 3, title: 'Long', body },
  ]
  repositoryOf(service, 'acme/told', {
    issues,
    pulls: [
      { number: 1, body: 'Fixes #2, see #3 and #4.' },
      { number: 4, title: 'Another change', body: 'Of ours.', state: 'closed' },
    ],
  })
  const { linkedIssues } = await ingested('acme/told#1', token)
  expect(linkedIssues).toEqual([
    {
      ...{ number: 2, title: 'It rings twice', body: 'Always.', bodyTruncated: false, state: 'closed' },
      ...{ authorLogin: 'ghost', labels: ['bug'], closes: true, url: `${WEB}/acme/told/issues/2` },
    },
    {
      ...{ number: 3, title: 'Long', body: 'x'.repeat(19_999), bodyTruncated: true, state: 'open' },
      ...{ authorLogin: 'author', labels: [], closes: false, url: `${WEB}/acme/told/issues/3` },
    },
    {
      ...{ number: 4, title: 'Another change', body: 'Of ours.', bodyTruncated: false, state: 'closed' },
      ...{ authorLogin: 'author', labels: [], closes: false, url: `${WEB}/acme/told/pull/4` },
    },
  ])
  expect((await get('acme/told#1')).body.data.linkedIssues).toEqual(linkedIssues)
})

test.each([
  ['every closing keyword', 'close #2 closes #3 closed #4 fix #5 fixes #6', [2, 3, 4, 5, 6].map((n) => `closes ${n}`)],
  [
    'the other closing keywords',
    'Fixed: #2 RESOLVE #3 resolves  #4 Resolved\n#5',
    [2, 3, 4, 5].map((n) => `closes ${n}`),
  ],
  ['mentions', 'See #2, (#3) and **#4**; 一方#5', ['2', '3', '4', '5']],
  ['only the number after the keyword', 'fixes #2, #3', ['closes 2', '3']],
  ['no keyword within a word', 'prefix #2 bug-fix #3 fixing #4', ['2', '3', '4']],
  ['the repository by name', 'Fixes {NAME}#2 and {name}#3', ['closes 2', '3']],
  ['the address', `Fixes ${WEB}/{name}/issues/2, see <${WEB}/{NAME}/pull/3#note>.`, ['closes 2', '3']],
  [
    'no other repository',
    `fixes x{name}#2 other/repo#3 ${WEB}/other/repo/issues/4 https://evil.example/{name}/issues/5`,
    [],
  ],
  ['no part of something else', 'x#2 &#3; ##4 #5x /#6 https://example.com/page#7 #99999999999 #0', []],
  ['not itself', `fixes #1 {name}#1 ${WEB}/{name}/issues/1`, []],
  ['no code', '`#2` ``a ` fixes #3`` and\n\n```js\nfixes #4\n```\n~~~\n#5\n~~~\nsee #6', ['6']],
  ['no HTML comment', '<!-- fixes #2 --> fixes #3, see `<!--` #5 <!-- #4', ['closes 3', '5']],
  ['no keyword before code', 'fixes `a` #2', ['2']],
  ['text between stray backticks of two paragraphs', 'a ` b\n\n#2 ` c', ['2']],
])('finds references to issues: %s', async (_, body, expected) => {
  expect(await linkedBy({ body })).toEqual(expected)
})

test('links five issues at most: first those that the title, description or commits close, then mentioned ones', async () => {
  const all: Partial<FakePull> = {
    title: 'See #8, fixes #4',
    body: 'See #7. Closes #3.',
    commits: [{ message: 'Resolve #2', author: 'a' }],
    comments: [{ author: 'a', body: 'Fixes #5', at }],
  }
  expect(await linkedBy(all)).toEqual(['closes 4', 'closes 3', 'closes 2', '8', '7'])
  expect(await linkedBy({ ...all, title: '', body: null })).toEqual(['closes 2', '5'])
  expect(await linkedBy({ body: '#2 #3 #4 #5 #6 #7 #8 closes #12' })).toEqual(['closes 12', '2', '3', '4', '5'])
  const calls = await host.during(() => linkedBy({ body: '#2 #3 #4 #5 #6 #7 #8' }))
  expect(calls.to(/issues\/\d+$/)).toBe(5)
})

test('checking an unchanged linked issue costs no rate limit, and a changed one is replaced', async () => {
  const issues = [{ number: 2, title: 'Before' }, ...numbered(3)]
  const pull: FakePull = { number: 1, body: 'fixes #2 and #3' }
  repositoryOf(service, 'acme/again', { pulls: [pull], issues })
  await ingested('acme/again#1', token)
  expect(await host.during(() => ingested('acme/again#1', token))).toMatchObject({ count: 1, free: 1 })
  Object.assign(pull, { body: 'See #2 and #3', updatedAt: '2026-02-01T00:00:00Z' })
  Object.assign(issues[0] ?? {}, { title: 'After' })
  const before = host.calls.length
  const { linkedIssues } = await ingested('acme/again#1', token)
  expect(linkedIssues).toMatchObject([
    { number: 2, title: 'After', closes: false },
    { number: 3, title: 'Issue 3' },
  ])
  const asked = host.calls.slice(before).filter(({ path }) => /issues\/\d+$/.test(path))
  expect(asked.map(({ path, unchanged }) => [path.at(-1), unchanged]).sort()).toEqual([
    ['2', false],
    ['3', true],
  ])
})

test('a refresh reads linked issues again, and writes nothing if they are unchanged', async () => {
  const issues = numbered(2)
  repositoryOf(service, 'acme/reread', { pulls: [{ number: 1, body: '#2' }], issues })
  const first = await ingested('acme/reread#1', token)
  const refreshed = () => get('acme/reread#1', token, { refresh: 'true' })
  expect((await refreshed()).body.data).toEqual(first)
  Object.assign(issues[0] ?? {}, { body: 'More' })
  expect((await refreshed()).body.data.linkedIssues).toMatchObject([{ number: 2, body: 'More' }])
})

test.each([
  ['a missing issue', faults.status(404)],
  ['a forbidden issue', faults.status(403)],
  ['a deleted issue', faults.status(410)],
  ['a redirect to another host', faults.redirect('http://127.0.0.1:1/repos/acme/shop/issues/2')],
  ['an invalid response', faults.cutJson],
])('omits %s from the linked issues', async (_, act) => {
  lastNumber += 1
  const name = `acme/omits-${lastNumber}`
  repositoryOf(service, name, { pulls: [{ number: 1, body: '#2 #3' }], issues: numbered(2, 3) })
  host.fail({ path: new RegExp(`${name}/issues/2$`), times: 9, act })
  const { linkedIssues } = await ingested(`${name}#1`, token)
  expect(linkedIssues).toMatchObject([{ number: 3 }])
  expect(await host.during(() => ingested(`${name}#1`, token))).toMatchObject({ count: 1, free: 1 })
})

test.each([
  ['fails', faults.status(500)],
  ['hangs', faults.hang],
])('omits an issue if the host %s, and fetches it with the next request', async (_, act) => {
  lastNumber += 1
  const name = `acme/trouble-${lastNumber}`
  repositoryOf(service, name, { pulls: [{ number: 1, body: '#2 #3' }], issues: numbered(2, 3) })
  host.fail({ path: new RegExp(`${name}/issues/2$`), times: 2, act })
  const started = performance.now()
  expect((await ingested(`${name}#1`, token)).linkedIssues).toMatchObject([{ number: 3 }])
  expect(performance.now() - started).toBeLessThan(6000)
  host.heal()
  expect((await ingested(`${name}#1`, token)).linkedIssues).toMatchObject([{ number: 2 }, { number: 3 }])
  expect(await host.during(() => ingested(`${name}#1`, token))).toMatchObject({ count: 1, free: 1 })
})

test('keeps a stored issue while the host fails to return it, and drops it once the host returns 404', async () => {
  const pull: FakePull = { number: 1, body: 'Fixes #2' }
  repositoryOf(service, 'acme/kept', { pulls: [pull], issues: [{ number: 2, title: 'Kept' }] })
  const linkedAfter = async (change: Partial<FakePull>) => {
    Object.assign(pull, change)
    return (await ingested('acme/kept#1', token)).linkedIssues
  }
  expect(await linkedAfter({})).toMatchObject([{ title: 'Kept', closes: true }])
  host.fail({ path: /kept\/issues\/2$/, times: 2, act: faults.status(500) })
  const updated = { body: 'See #2', updatedAt: '2026-02-01T00:00:00Z' }
  expect(await linkedAfter(updated)).toMatchObject([{ title: 'Kept', closes: false }])
  // The stored version is provisional, so the next request fetches the issue again.
  host.fail({ path: /kept\/issues\/2$/, act: faults.status(404) })
  expect(await linkedAfter({})).toEqual([])
})

test('a rate limit or a rejected token while an issue is fetched fails the whole fetch', async () => {
  const limited = await service.signedUp('limited')
  repositoryOf(service, 'acme/limited', { pulls: [{ number: 1, body: '#2' }], issues: numbered(2) })
  host.fail({ path: /limited\/issues\/2$/, act: faults.status(429, { 'retry-after': '30' }) })
  expect((await ingest('acme/limited#1', limited)).status).toBe(429)
  host.fail({ path: /limited\/issues\/2$/, act: faults.status(401) })
  expect((await ingest('acme/limited#1', await service.signedUp('refused'))).status).toBe(401)
})

test('nothing of an issue that was moved to a private repository is stored, returned or logged', async () => {
  const canary = 'CANARY-OF-THE-VAULT'
  const vault = repositoryOf(service, 'acme/vault', {
    private: true,
    members: ['hanako'],
    issues: [{ number: 70, title: `${canary}-title`, body: `${canary}-body`, labels: [`${canary}-label`] }],
  })
  const issues: FakeIssue[] = [
    { number: 2, movedTo: { repository: vault.id, number: 70 } },
    { number: 70, title: 'Ours', body: 'Moved later' },
  ]
  const pull: FakePull = { number: 1, body: 'Fixes #2, #70' }
  repositoryOf(service, 'acme/moved', { pulls: [pull], issues })
  const responses = [await ingest('acme/moved#1', token)]
  expect(responses[0]?.body.data.linkedIssues).toMatchObject([{ number: 70, title: 'Ours' }])
  // Hardest case: the issue has the same number in both repositories, and the session has an ETag for it.
  Object.assign(issues[1] ?? {}, { movedTo: { repository: vault.id, number: 70 } })
  pull.updatedAt = '2026-02-01T00:00:00Z'
  responses.push(await ingest('acme/moved#1', token), await get('acme/moved#1', token, { refresh: 'true' }))
  responses.push(await get('acme/moved#1', token), await get('acme/moved#1'))
  expect(responses.map(({ status, body }) => [status, body.data.linkedIssues.length])).toEqual([
    [200, 1],
    ...Array.from({ length: 4 }, () => [200, 0]),
  ])
  expect(host.calls.some(({ path }) => path === `/repositories/${vault.id}/issues/70`)).toBe(true)
  const rows = await service.ctx.db.selectFrom('pull_requests').select('document').execute()
  const documents = await Promise.all(rows.map(async ({ document }) => (await unpack(document)).toString()))
  expect(documents.some((document) => document.includes('Moved later'))).toBe(false)
  for (const text of [JSON.stringify(responses.map(({ body }) => body)), ...documents, await dump(service.ctx)])
    expect(text).not.toContain(canary)
  expect(service.logged.join('')).not.toContain(canary)
})

test('once a private repository becomes public, hides the linked issues read before and reads them again', async () => {
  const issues = [{ number: 2, title: 'SECRET-ISSUE' }]
  const pull: FakePull = { number: 1, body: '#2' }
  const opened = repositoryOf(service, 'acme/opened', { private: true, members: ['hanako'], pulls: [pull], issues })
  expect((await ingested('acme/opened#1', token)).linkedIssues).toMatchObject([{ title: 'SECRET-ISSUE' }])
  Object.assign(issues[0] ?? {}, { title: 'Clean' })
  opened.private = false
  service.advance(10 * 60_000)
  const reader = await service.signedUp('reader')
  expect((await get('acme/opened#1', reader)).status).toBe(404)
  expect((await ingested('acme/opened#1', reader)).linkedIssues).toMatchObject([{ title: 'Clean' }])
  expect((await get('acme/opened#1')).body.data.linkedIssues).toMatchObject([{ title: 'Clean' }])
})

test('reads a linked issue again if the repository becomes public after the issue was read but before the fetch ends', async () => {
  const issues = [{ number: 2, title: 'SECRET-ISSUE' }]
  const pull: FakePull = { number: 1, body: '#2' }
  const opening = repositoryOf(service, 'acme/opening', { private: true, members: ['hanako'], pulls: [pull], issues })
  const answerThenOpen: Fault['act'] = (request, response) => {
    host.answer(request, response)
    Object.assign(issues[0] ?? {}, { title: 'Clean' })
    opening.private = false
  }
  host.fail({ path: /opening\/issues\/2$/, act: answerThenOpen })
  expect((await ingested('acme/opening#1', token)).linkedIssues).toMatchObject([{ title: 'Clean' }])
})

/** The maximum length of a stored description. */
const LONGEST = 65_536
test.each([
  ['references', '#1'],
  ['references to other issues', '#2 '],
  ['keywords', 'fixes '],
  ['keywords and references', 'fixes #3 '],
  ['addresses', '/issues/2'],
  ['digits', '1'],
  ['backticks', '`'],
  ['code spans', '`a'],
  ['runs of backticks', '`a``b```c````d'],
  ['fences', '```\n'],
  ['quoted fences', '>> ```\n~~~\n'],
  ['opened HTML comments', '<!--'],
  ['HTML comments', '<!---->'],
  ['spaces', ' '],
  ['empty lines', '\n'],
])('scans a description of %s quickly', async (_, unit) => {
  const body = unit.repeat(Math.ceil(LONGEST / unit.length)).slice(0, LONGEST)
  const commits = Array.from({ length: 5 }, () => ({ message: body, author: 'a' }))
  const pull = { body, commits }
  await expectShortTurns(150, () => linkedBy(pull))
})

import { afterAll, describe, expect, test } from 'vitest'
import { insertMerges } from '../../../src/db/merges/merges.ts'
import { articlesOf } from '../../support/articles.ts'
import { connectClient, type ToolResult, VERSIONS, type Version } from '../../support/mcp.ts'
import { startWatchingService } from '../../support/merges.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'

const MARKER = 'canary'
const service = await startWatchingService({ SEND_PRIVATE_CODE_TO_MODEL: 'on' })
afterAll(() => service.close())
const member = await service.signedUp('member')
const former = await service.signedUp('former')
const stranger = await service.signedUp('stranger')
const pulls = [
  {
    ...{ number: 1, title: `${MARKER}-title`, body: `${MARKER}-body`, files: [changed(`${MARKER}-file.txt`)] },
    mergedAt: '2026-02-01T00:00:00Z',
  },
]
const vault = repositoryOf(service, `acme/${MARKER}-vault`, { private: true, members: ['member', 'former'], pulls })
/** A repository that was public when the service read it and is private now. */
const turned = repositoryOf(service, `acme/${MARKER}-turned`, { pulls })
const names = [vault, turned].map(({ owner, name }) => `${owner}/${name}`)
const { generated } = articlesOf(service)
const ids = new Map<string, string>()
for (const name of names) ids.set(name, (await generated(`${name}#1`, member)).id)
for (const { id } of [vault, turned])
  await insertMerges(service.ctx.db, { hostRepoId: id, isEarlier: false, now: new Date() }, [
    {
      ...{ number: 2, title: `${MARKER}-merge`, author: 'member', author_is_bot: false },
      ...{ url: `https://host.example.com/${MARKER}`, merged_at: new Date() },
    },
  ])
vault.members = ['member']
Object.assign(turned, { private: true, members: ['member'] })
service.advance(6 * 60_000)
// The next read makes the service check the visibility again.
await service.call('getPullRequest', { params: { owner: turned.owner, repo: turned.name, number: '1' } })

/** For every tool, calls that name a repository or find its article. */
function callsFor(name: string, articleId: string): [string, object][] {
  return [
    ['read_article', { articleId }],
    ['read_article', { pullRequest: `${name}#1` }],
    // Searches come after a read, because a read makes the service check the visibility again.
    ['search_articles', { query: MARKER }],
    ['search_articles', { repository: name }],
    ['what_changed', { repository: name, since: '2020-01-01' }],
    ['what_changed', { repository: name.split('/')[1], since: '2020-01-01', query: MARKER }],
    ['read_article', { pullRequest: `${name.split('/')[1]}#1` }],
    ['ask_for_article', { pullRequest: `${name}#1` }],
  ]
}

async function results(version: Version, token: string | undefined, name: string, articleId: string) {
  const { call } = await connectClient(service, version, token)
  const all: ToolResult[] = []
  for (const [tool, args] of callsFor(name, articleId)) all.push(await call(tool, args))
  return all
}

/** The results without the request id, which differs between requests. */
const comparable = (all: ToolResult[]) => JSON.stringify(all).replaceAll(/requestId\W+[\w-]+/g, '')

describe.each(VERSIONS)('with protocol version %s', (version) => {
  test.each([
    ['an anonymous caller', undefined],
    ['a stranger', stranger],
    ['a former member', former],
  ])('for %s, every tool answers as if a private repository did not exist', async (_, token) => {
    for (const name of names) {
      const hidden = await results(version, token, name, ids.get(name) ?? '')
      expect(JSON.stringify(hidden)).not.toContain(MARKER)
      const absent = await results(version, token, name.replace(MARKER, 'absent'), crypto.randomUUID())
      expect(comparable(hidden)).toBe(comparable(absent))
    }
  })

  test('for a member, every tool shows a private repository', async () => {
    for (const name of names) {
      const shown = await results(version, member, name, ids.get(name) ?? '')
      expect(shown.map(({ isError, text }) => [isError, text.includes(MARKER)])).toEqual(shown.map(() => [false, true]))
    }
  })
})

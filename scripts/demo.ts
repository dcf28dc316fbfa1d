import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Api, createApi, type Schemas } from './demo/api.ts'
import { createBoard } from './demo/board.ts'
import { toExplore } from './demo/explore.ts'
import { DemoFailure, lineOf } from './demo/failure.ts'
import { likeAll } from './demo/likes.ts'
import { readOptions } from './demo/options.ts'
import { type Pressed, press } from './demo/press.ts'
import { printed } from './demo/print.ts'
import { printedRanking, readRanking } from './demo/ranking.ts'
import { samples } from './demo/samples.ts'
import { type DemoService, startService } from './demo/service.ts'
import { startFakeHost } from './fakeHost/fakeHost.ts'
import { pageColumns } from './terminal/columns.ts'

/** Runs the whole service on sample pull requests in one command, without database, network or key. */
const READER = 'reader'
const FAVORITE = { owner: 'harborline', repo: 'turnstile' }
const INTERRUPTED = 130

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
process.exitCode = await demo(stopping.signal).catch((error) => {
  if (stopping.signal.aborted) return INTERRUPTED
  console.error(error instanceof DemoFailure ? error.message : lineOf(error))
  return 1
})

async function demo(signal: AbortSignal): Promise<number> {
  const options = readOptions()
  await using ending = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-demo-'))
  ending.defer(() => rm(folder, { recursive: true, force: true }))
  const host = await startFakeHost({ loginOf })
  ending.defer(host.close)
  for (const repository of samples) host.repository({ ...repository, webUrl: host.url })
  console.log('Starting the service on a sample code host…')
  const env = { AUTOMATIC_ARTICLES: 'on', CODE_HOST_TOKEN: tokenOf('pullpress') }
  const service = await startService({ folder, hostUrl: host.url, env, signal })
  ending.defer(service.stop)

  const apiOf = (login: string) => createApi(service.url, tokenOf(login), signal)
  const api = apiOf(READER)
  const language = await signUp(api, options.language)
  await markFavorite(api)
  const pressed = await pressAll(api, options.language, signal)

  const shown = pressed.find((result) => result !== undefined)
  if (shown) console.log(`\n${printed(shown.article, language)}`)
  const failed = pressed.includes(undefined)
  if (failed) console.error(['', ...service.lastLogLines()].join('\n'))
  const articles = pressed.flatMap((result) => result?.article ?? []).filter(({ contents }) => language in contents)
  if (articles.length > 0) await showRanking(api, await likeAll({ own: api, apiOf, articles, language }))
  if (options.once) return failed ? 1 : 0
  console.log(`\n${toExplore({ url: service.url, hostUrl: host.url, token: tokenOf(READER), shown, language })}`)
  return await stayUp(service, signal)
}

function tokenOf(login: string): string {
  return `${login}-token`
}

/** Other tokens are refused, so that clients can try that too. */
function loginOf(token: string): string | undefined {
  return /^([a-z\d-]+)-token$/.exec(token)?.[1]
}

async function signUp(api: Api, requested: string | undefined): Promise<string> {
  const response = await api.send('POST', '/auth/signup', { body: requested ? { language: requested } : {} })
  const { hostUsername, language } = (await response.json()) as Schemas['User']
  console.log(`Signed up as ${hostUsername}; articles are written in "${language}".`)
  return language
}

async function markFavorite(api: Api): Promise<void> {
  const { repositoryFullName } = await api.data<Schemas['FavoriteRepository']>('POST', '/users/me', { body: FAVORITE })
  const { data: newest } = await api.data<Schemas['FeedPage']>('GET', '/users/me/feed')
  console.log(`Added favorite ${repositoryFullName}: ${newest.length} pull requests in the feed.\n`)
}

/** Writes all articles concurrently; undefined for each that failed. */
async function pressAll(api: Api, language: string | undefined, signal: AbortSignal) {
  const places = samples.flatMap(({ owner, name: repo, pulls }) =>
    pulls.map(({ number, title = '' }) => ({ owner, repo, number, title, label: `${owner}/${repo}#${number}` })),
  )
  const board = createBoard(places)
  return Promise.all(
    places.map(async (place, i): Promise<Pressed | undefined> => {
      const start = performance.now()
      try {
        const pressed = await press(api, place, language, (stage, progress) => board.advance(i, stage, progress))
        board.succeed(i, performance.now() - start)
        return pressed
      } catch (error) {
        signal.throwIfAborted()
        board.fail(i, lineOf(error))
        return undefined
      }
    }),
  )
}

async function showRanking(api: Api, likes: number): Promise<void> {
  const ranking = await readRanking(api, likes)
  if (ranking.length > 0) console.log(`\n${printedRanking(ranking, READER, pageColumns())}`)
}

async function stayUp(service: DemoService, signal: AbortSignal): Promise<number> {
  service.showLog()
  const interrupted = new Promise<'interrupted'>((resolve) =>
    signal.addEventListener('abort', () => resolve('interrupted')),
  )
  if ((await Promise.race([interrupted, service.exited])) === 'interrupted') {
    console.log('\nStopping…')
    return 0
  }
  console.error(['The service exited unexpectedly.', ...service.lastLogLines()].join('\n'))
  return 1
}

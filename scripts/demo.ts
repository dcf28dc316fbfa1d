import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Api, createApi, type Schemas } from './demo/api.ts'
import { printed } from './demo/print.ts'
import { recordedArticle } from './demo/recordedArticle.ts'
import { samples } from './demo/samples.ts'
import { lineOf } from './demo/scriptError.ts'
import { startService } from './demo/service.ts'
import { terminalLanguage } from './demo/terminalLanguage.ts'
import { labelOf, writeArticle } from './demo/writeArticle.ts'
import { startFakeHost } from './fakeHost/fakeHost.ts'

/** Runs the whole service on sample pull requests in one command, without database, network or key. */
const FAVORITE = { owner: 'harborline', repo: 'turnstile' }
const READERS = ['reader', 'aiko', 'bram', 'chidi', 'dalia', 'emre']
const INTERRUPTED = 130
const MAX_RANKING_TRIES = 50
const RANKING_PAUSE_MS = 100

type Article = Schemas['PullRequestArticle']

const stopping = new AbortController()
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopping.abort())
process.exitCode = await demo(stopping.signal).catch((error) => {
  if (stopping.signal.aborted) return INTERRUPTED
  console.error(lineOf(error))
  return 1
})

async function demo(signal: AbortSignal): Promise<number> {
  const { once, language: wanted = terminalLanguage(process.env) } = parseArgs({
    options: { once: { type: 'boolean' }, language: { type: 'string' } },
  }).values
  await using ending = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-demo-'))
  ending.defer(() => rm(folder, { recursive: true, force: true }))
  // Accepts tokens that end in `-token` and rejects all others, so that users can also try a rejected token.
  const host = await startFakeHost({ loginOf: (token) => /^([a-z\d-]+)-token$/.exec(token)?.[1] })
  ending.defer(host.close)
  for (const repository of samples) host.repository({ ...repository, webUrl: host.url })
  console.log('Starting the service on a sample code host…')
  const env = { AUTOMATIC_ARTICLES: 'on', CODE_HOST_TOKEN: 'pullpress-token' }
  const service = await startService({ folder, hostUrl: host.url, env, signal })
  ending.defer(service.stop)

  const [api, ...others] = READERS.map((login) => createApi(service.url, `${login}-token`, signal)) as [Api, ...Api[]]
  const response = await api.send('POST', '/auth/signup', { body: { language: wanted } })
  const { hostUsername, language } = (await response.json()) as Schemas['User']
  console.log(`Signed up as ${hostUsername}; articles are written in "${language}".`)
  await api.send('POST', '/users/me', { body: FAVORITE })
  console.log(`Added the favorite ${FAVORITE.owner}/${FAVORITE.repo}.`)

  const written = await writeAll(api, language, signal)
  const articles = written.filter((article) => article !== undefined)
  if (articles[0]) console.log(`\n${printed(articles[0], language)}\n`)
  if (!process.env['OPENAI_API_KEY'])
    console.log(`What a model writes looks like this example:\n\n${printed(recordedArticle, 'en')}\n`)
  for (const other of others) await other.send('POST', '/auth/signup')
  const likes = await likeAll([api, ...others], articles, language)
  for (const { rank, likeCount, aiGeneratedTitle, repositoryFullName, prNumber } of await readRanking(api, likes))
    console.log(`${rank}. ${likeCount} likes: ${aiGeneratedTitle} (${repositoryFullName}#${prNumber})`)
  if (once) return articles.length === written.length ? 0 : 1

  console.log(`\nThe service is at ${service.url}: pages at /read, the API at /docs with the token reader-token.
Ctrl-C stops it and removes its data.`)
  const interrupted = new Promise((resolve) => signal.addEventListener('abort', resolve))
  await Promise.race([interrupted, service.exited])
  if (signal.aborted) return 0
  console.error('The service exited unexpectedly.')
  return 1
}

/** Writes all articles at the same time; undefined for each that failed. */
async function writeAll(api: Api, language: string, signal: AbortSignal): Promise<(Article | undefined)[]> {
  const places = samples.flatMap(({ owner, name: repo, pulls }) => pulls.map(({ number }) => ({ owner, repo, number })))
  return Promise.all(
    places.map(async (place) => {
      const say = (text: string) => console.log(`${labelOf(place)}: ${text}`)
      try {
        const { article } = await writeArticle(api, place, language, say)
        say('written')
        return article
      } catch (error) {
        signal.throwIfAborted()
        say(lineOf(error))
        return undefined
      }
    }),
  )
}

/** The first reader likes all articles, and each next reader one fewer. Returns the number of likes. */
async function likeAll(readers: Api[], articles: Article[], language: string): Promise<number> {
  const counts = readers.map(async (api, i) => {
    const liked = articles.slice(i)
    for (const { id } of liked) await api.send('POST', `/articles/${id}/language/${language}/like`)
    return liked.length
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

/** The ranking once it has counted all likes, which takes a moment. */
async function readRanking(api: Api, likes: number): Promise<Schemas['RankedArticleInfo'][]> {
  for (let tries = 1; ; tries++) {
    const { data } = await api.data<Schemas['RankingPage']>('GET', '/ranking/articles/likes')
    if (tries === MAX_RANKING_TRIES || data.reduce((sum, { likeCount }) => sum + likeCount, 0) === likes) return data
    await sleep(RANKING_PAUSE_MS)
  }
}

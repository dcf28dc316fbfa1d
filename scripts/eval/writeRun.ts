import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROMPT_VERSION } from '../../src/domain/articles/versions.ts'
import type { Config, ModelConfig } from '../../src/runtime/config/config.ts'
import { type Api, createApi } from '../demo/api.ts'
import { lineOf, ScriptError } from '../demo/scriptError.ts'
import { startService } from '../demo/service.ts'
import { labelOf, type Place, writeArticle } from '../demo/writeArticle.ts'
import { maskedPull } from './maskedPull.ts'
import { measure } from './measure.ts'
import type { Options } from './options.ts'
import { createRunFolder, writeJson, writeResult } from './runFolder.ts'
import { openSubjects } from './subjects.ts'
import { printMetrics } from './tables.ts'

export type StartService = (options: Parameters<typeof startService>[0]) => Promise<{ url: string; stop(): unknown }>

interface Run {
  options: Options
  config: Config
  model: ModelConfig
  signal: AbortSignal
  /** Starts the service. Default: `startService`. */
  start?: StartService
}

const OWN_SETTINGS = {
  ADDRESS: '127.0.0.1',
  PORT: '0',
  ROLE: 'all',
  RATE_LIMITS: 'off',
  ARTICLE_QUOTA_PER_DAY: '1000000',
  MODEL_TOKENS_PER_DAY: '1000000000',
  LANGUAGES: undefined,
  MIGRATIONS_DATABASE_URL: undefined,
  REDIS_URL: undefined,
  METRICS_PORT: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  CODE_HOST_CLIENT_ID: undefined,
  CODE_HOST_CLIENT_SECRET: undefined,
}

/** Writes an article about each pull request. Returns the folder of the results and how many articles failed. */
export async function writeRun({ options, config, model, signal, start = startService }: Run) {
  const { addresses, language, out, atOnce } = options
  await using ending = new AsyncDisposableStack()
  const { places, host, close } = await openSubjects(addresses, config.codeHost)
  ending.defer(close)
  const folder = await createRunFolder(out)
  const data = await mkdtemp(join(tmpdir(), 'pullpress-eval-'))
  ending.defer(() => rm(data, { recursive: true, force: true }))
  console.log(`Starting the service to write ${places.length} articles…`)
  const env = { ...OWN_SETTINGS, CODE_HOST_TOKEN: host.token, ARTICLES_AT_ONCE: String(atOnce) }
  const service = await start({ folder: data, hostUrl: host.apiUrl, webUrl: host.webUrl, env, signal })
  ending.defer(async () => void (await service.stop()))
  const api = createApi(service.url, host.token, signal)
  await api.send('POST', '/auth/signup', { body: { language } })

  const started = new Date().toISOString()
  const results = await Promise.all(
    places.map(async (place) => {
      const pullRequest = labelOf(place)
      const say = (text: string) => console.log(`${pullRequest}: ${text}`)
      try {
        const result = await writeInto(folder, api, place, language, say)
        say('written')
        return result
      } catch (error) {
        signal.throwIfAborted()
        say(lineOf(error))
        return { pullRequest, error: lineOf(error) }
      }
    }),
  )
  const articles = results.filter((result) => 'metrics' in result)
  const failed = results.filter((result) => 'error' in result)
  const settings = { model: model.names, promptVersion: PROMPT_VERSION, tokensPerCall: model.tokensPerCall }
  await writeJson(folder, 'summary.json', { started, language, ...settings, articles, failed })
  printMetrics(articles)
  return { folder, failures: failed.length }
}

async function writeInto(folder: string, api: Api, place: Place, language: string, onStage: (stage: string) => void) {
  const { pull, article } = await writeArticle(api, place, language, onStage)
  const content = article.contents[language]
  if (!content) throw new ScriptError(`The article has no text in "${language}".`)
  const summary = {
    ...{ pullRequest: labelOf(place), address: pull.hostPrUrl },
    metrics: measure({ content, language, pull }),
  }
  await writeResult(folder, place, { ...summary, language, content }, await maskedPull(pull, content.coverage.files))
  return summary
}

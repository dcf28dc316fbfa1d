import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModelConfig } from '../../src/config/config.ts'
import { type Api, createApi } from '../demo/api.ts'
import { type DemoService, startService } from '../demo/service.ts'
import { type Recorder, startRecorder } from './recorder.ts'
import type { Subjects } from './subjects.ts'

/** A service that writes one article at a time, so that every recorded call belongs to that article. */
export interface Lane {
  api: Api
  recorder: Recorder
  lastLogLines(): string[]
  close(): Promise<void>
}

interface Options {
  model: Pick<ModelConfig, 'apiKey' | 'baseUrl'>
  host: Subjects['host']
  language: string
  signal: AbortSignal
  /** Starts the service in another way. */
  start?: StartService
}

export type StartService = (
  options: Parameters<typeof startService>[0],
) => Promise<Pick<DemoService, 'url' | 'stop' | 'lastLogLines'>>

const OWN_SETTINGS = {
  ADDRESS: '127.0.0.1',
  PORT: '0',
  ROLE: 'all',
  RATE_LIMITS: 'off',
  ARTICLE_QUOTA_PER_DAY: '1000000',
  MIGRATIONS_DATABASE_URL: undefined,
  REDIS_URL: undefined,
  METRICS_PORT: undefined,
  OTEL_EXPORTER_OTLP_ENDPOINT: undefined,
  CODE_HOST_CLIENT_ID: undefined,
  CODE_HOST_CLIENT_SECRET: undefined,
}

/** Starts a service of its own on an embedded database, with a recorder between it and the model. */
export async function startLane({ model, host, language, signal, start = startService }: Options): Promise<Lane> {
  await using ending = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-eval-'))
  ending.defer(() => rm(folder, { recursive: true, force: true }))
  const recorder = await startRecorder(model)
  ending.defer(recorder.close)
  const service = await start({
    folder,
    hostUrl: host.apiUrl,
    webUrl: host.webUrl,
    env: {
      ...OWN_SETTINGS,
      CODE_HOST_TOKEN: host.token,
      OPENAI_API_KEY: recorder.token,
      OPENAI_BASE_URL: recorder.url,
    },
    signal,
  })
  ending.defer(service.stop)
  const api = createApi(service.url, host.token, signal)
  await api.send('POST', '/auth/signup', { body: { language } })
  const started = ending.move()
  return { api, recorder, lastLogLines: service.lastLogLines, close: () => started.disposeAsync() }
}

import { PROMPT_VERSION } from '../../src/articles/versions.ts'
import type { Config, ModelConfig } from '../../src/config/config.ts'
import { createBoard } from '../demo/board.ts'
import { lineOf } from '../demo/failure.ts'
import { type Lane, type StartService, startLane } from './lane.ts'
import { maskedPull } from './maskedPull.ts'
import { measure } from './measure.ts'
import type { Options } from './options.ts'
import { type ArticleResult, createRunFolder, writeCalls, writeJson, writeResult } from './runFolder.ts'
import { fileNameOf, labelOf, openSubjects, type Place } from './subjects.ts'
import { printMetrics } from './tables.ts'
import { writeArticle } from './writeArticle.ts'

interface Failed {
  pullRequest: string
  error: string
}

interface Run {
  options: Options
  config: Config
  model: ModelConfig
  signal: AbortSignal
  start?: StartService
}

/** Writes an article about each pull request. Returns the folder of the results and how many articles failed. */
export async function writeRun({
  options,
  config,
  model,
  signal,
  start,
}: Run): Promise<{ folder: string; failures: number }> {
  const { addresses, language } = options
  await using ending = new AsyncDisposableStack()
  const { places, host, close } = await openSubjects(addresses, config.codeHost)
  ending.defer(close)
  const folder = await createRunFolder(options.out)
  const count = Math.min(options.atOnce, places.length)
  console.log(`Starting ${count === 1 ? 'a service' : `${count} services`} to write ${places.length} articles…`)
  const starting = Array.from({ length: count }, async () => {
    const lane = await startLane({ model, host, language, signal, ...(start && { start }) })
    ending.defer(lane.close)
    return lane
  })
  await Promise.allSettled(starting)
  const lanes = await Promise.all(starting)

  const started = new Date().toISOString()
  const { written, failed } = await writeAll(lanes, places, { folder, language, signal })
  const articles = written.map(({ pullRequest, address, metrics }) => ({ pullRequest, address, metrics }))
  const settings = { model: model.names, promptVersion: PROMPT_VERSION, tokensPerCall: model.tokensPerCall }
  await writeJson(folder, 'summary.json', { started, language, ...settings, articles, failed })
  printMetrics(articles)
  if (failed.length > 0) console.error(['', ...lanes.flatMap((lane) => lane.lastLogLines())].join('\n'))
  return { folder, failures: failed.length }
}

interface Target {
  folder: string
  language: string
  signal: AbortSignal
}

async function writeAll(lanes: Lane[], places: Place[], { folder, language, signal }: Target) {
  const board = createBoard(places.map((place) => ({ label: labelOf(place), title: '' })))
  const results: (ArticleResult | Failed)[] = []
  const waiting = places.entries()

  async function writeOne(lane: Lane, i: number, place: Place): Promise<void> {
    const started = performance.now()
    try {
      results[i] = await writeInto(folder, lane, place, language, (...progress) => board.advance(i, ...progress))
      board.succeed(i, performance.now() - started)
    } catch (error) {
      signal.throwIfAborted()
      results[i] = { pullRequest: labelOf(place), error: lineOf(error) }
      board.fail(i, lineOf(error))
    }
  }

  // The lanes share one iterator: each takes the next pull request when it is free.
  await Promise.all(
    lanes.map(async (lane) => {
      for (const [i, place] of waiting) await writeOne(lane, i, place)
    }),
  )
  return {
    written: results.filter((result) => 'metrics' in result),
    failed: results.filter((result) => 'error' in result),
  }
}

async function writeInto(
  folder: string,
  { api, recorder }: Lane,
  place: Place,
  language: string,
  onProgress: (stage: string, progress: number) => void,
): Promise<ArticleResult> {
  const name = fileNameOf(place)
  try {
    const { pull, content, seconds } = await writeArticle(api, place, language, onProgress)
    const calls = await recorder.take()
    await writeCalls(folder, name, calls)
    const metrics = measure({ content, language, pull, calls, seconds })
    const result = { pullRequest: labelOf(place), address: pull.hostPrUrl, language, metrics, content }
    await writeResult(folder, name, result, await maskedPull(pull, content.coverage.files))
    return result
  } catch (error) {
    // The prompts and answers of a failed article are the most interesting ones.
    const calls = await recorder.take()
    if (calls.length > 0) await writeCalls(folder, name, calls)
    throw error
  }
}

import OpenAI from 'openai'
import type { Server } from './model.ts'
import { openTransport } from './transport.ts'

/** What the server's list says about a model. */
export interface ListedModel {
  isListed: boolean
  /** The day on which the model is switched off, if the list has it. */
  shutdownDate: string | undefined
}

const TIMEOUT_MS = 10_000
const MAX_LISTED = 1000

/** Undefined if the server's list cannot be read. */
export async function findListed(
  { apiKey, baseUrl }: Pick<Server, 'apiKey' | 'baseUrl'>,
  name: string,
): Promise<ListedModel | undefined> {
  const { fetch, close } = openTransport()
  const options = { apiKey: apiKey.reveal(), ...(baseUrl && { baseURL: baseUrl.href }), fetch }
  const client = new OpenAI({ ...options, maxRetries: 0, timeout: TIMEOUT_MS, logLevel: 'off' })
  try {
    const { data } = await client.models.list()
    const models = data.slice(0, MAX_LISTED) as { id: string; shutdown_date?: unknown }[]
    const model = models.find(({ id }) => id === name || id === `${name}:latest` || id === `models/${name}`)
    return { isListed: model !== undefined, shutdownDate: dayOf(model?.shutdown_date) }
  } catch {
    return undefined
  } finally {
    await close()
  }
}

/** The day of a date text, or of a number of seconds since 1970. */
function dayOf(date: unknown): string | undefined {
  const time = typeof date === 'number' ? date * 1000 : typeof date === 'string' ? Date.parse(date) : Number.NaN
  return Math.abs(time) < 8.64e15 ? new Date(time).toISOString().slice(0, 10) : undefined
}

import { once } from 'node:events'

export interface Settings {
  url: string
  tokens: string[]
  articleIds: string[]
}

type Work = () => Promise<number>

/**
 * Runs work in its own process, so that it delays no measured request. Sends the variables that the server needs,
 * receives the settings, and then does the work whenever a message asks for it. `Work` returns how much it did.
 */
export async function serveAsWorker(env: NodeJS.ProcessEnv, prepare: (settings: Settings) => Promise<Work>) {
  process.on('disconnect', () => process.exit())
  const settings = once(process, 'message')
  process.send?.({ env })
  const work = await prepare((await settings)[0])
  process.on('message', async () => process.send?.({ done: await work() }))
  process.send?.({})
}

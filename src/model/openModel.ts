import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadOnce } from '../lib/loadOnce.ts'
import type { Model, Server, Watching } from './model.ts'

/**
 * Opens the model. Its packages are loaded with the first call, because they take 12 MB and a tenth of a second. They
 * are loaded in steps, so that requests are served in between.
 */
export function openModel(server: Server, watching: Watching, now?: () => Date): Model {
  let opened: Model | undefined
  let isClosed = false
  const load = loadOnce(async () => {
    await import('undici')
    await nextTurn()
    await import('openai')
    await nextTurn()
    const { createModel } = await import('./model.ts')
    opened = createModel(server, watching, now)
    if (isClosed) await opened.close()
    return opened
  })
  return {
    ask: async (call) => (await load()).ask(call),
    async close() {
      isClosed = true
      await opened?.close()
    },
  }
}

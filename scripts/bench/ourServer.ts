import { createApp } from '../../src/app.ts'
import { createContext } from '../../src/createContext.ts'
import { startWriting } from '../../src/domain/articles/worker.ts'
import { createLogger } from '../../src/logger.ts'
import { readConfig } from '../../src/runtime/config/config.ts'
import { reportTo } from './measured.ts'

/** The service as in production, including its log. */
const config = readConfig(process.env)
const ctx = await createContext(config, createLogger(config.logLevel, { format: 'json' }))
const app = await createApp(ctx)
// Without a model nothing is written, and the queue would only add noise.
if (config.model) await startWriting(ctx)
await app.listen({ port: 0, host: '127.0.0.1' })
reportTo(app.server)

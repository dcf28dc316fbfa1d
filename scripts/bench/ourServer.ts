import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { createContext } from '../../src/createContext.ts'
import { createLogger } from '../../src/logger.ts'
import { reportTo } from './measured.ts'

/** The service as in production, including its log. */
const config = readConfig(process.env)
const app = await createApp(await createContext(config, createLogger(config.logLevel)))
await app.listen({ port: 0, host: '127.0.0.1' })
reportTo(app.server)

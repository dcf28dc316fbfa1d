import closeWithGrace from 'close-with-grace'
import { createApp } from './app.ts'
import { environment } from './config/environment.ts'
import { ConfigError, readConfig } from './config.ts'
import { createContext } from './context.ts'
import { DataDirInUse } from './db/embedded.ts'
import { createLogger } from './logger.ts'

const GRACE_MILLISECONDS = 9500

try {
  const config = readConfig(environment())
  const log = createLogger(config.logLevel)
  const ctx = await createContext(config, log)
  const app = await createApp(ctx)
  closeWithGrace({ delay: GRACE_MILLISECONDS, logger: log }, async ({ signal, err }) => {
    if (err) log.fatal({ err }, 'A fault nobody handled; closing.')
    else log.info({ signal }, 'Closing.')
    await app.close()
    await ctx.close()
  })
  await app.listen({ port: config.port, host: config.address })
  log.info({ database: config.databaseUrl ? 'postgres' : 'embedded', docs: '/docs' }, 'Ready.')
} catch (error) {
  const expected = error instanceof ConfigError || error instanceof DataDirInUse
  console.error(expected ? error.message : error)
  process.exit(1)
}

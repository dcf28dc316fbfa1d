import type { Logger } from 'pino'

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2'] as const
/** A signal to a process group arrives twice where npm or a supervisor passes it on: that is no wish to end at once. */
const REPEATED_MS = 2000

interface Reason {
  signal?: NodeJS.Signals
  err?: unknown
}

interface Options {
  log: Logger
  /** How long closing may take before the process ends all the same. */
  timeoutMs: number
  close(reason: Reason): Promise<void>
}

/** Closes and ends the process on a signal or an error that was not caught. A later signal or error ends it at once. */
export function closeGracefully({ log, timeoutMs, close }: Options): void {
  let startedAt: number | undefined

  async function start(reason: Reason): Promise<void> {
    startedAt = performance.now()
    setTimeout(() => end('Closing took too long.', { timeoutMs }), timeoutMs)
    try {
      await close(reason)
    } catch (err) {
      end('Closing failed.', { err })
    }
    process.exit(reason.err === undefined ? 0 : 1)
  }

  function end(message: string, details: object): never {
    log.error(details, message)
    process.exit(1)
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (startedAt === undefined) void start({ signal })
    else if (performance.now() - startedAt > REPEATED_MS) end('Another signal: ending at once.', { signal })
  }

  function onError(cause: unknown): void {
    const err = cause ?? new Error('Something that is no error was thrown.')
    if (startedAt === undefined) void start({ err })
    else end('Another error while closing: ending at once.', { err })
  }

  for (const signal of SIGNALS) process.on(signal, onSignal)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
}

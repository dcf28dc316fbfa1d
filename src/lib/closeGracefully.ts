import type { Logger } from 'pino'

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGUSR2'] as const
/**
 * A signal repeated within this time must not force an exit: npm and supervisors forward signals, so a signal sent to a
 * process group arrives twice.
 */
const REPEATED_MS = 2000

interface Reason {
  signal?: NodeJS.Signals
  err?: unknown
}

interface Options {
  log: Logger
  /** After this, the process exits even if closing has not finished. */
  timeoutMs: number
  close(reason: Reason): Promise<void>
}

/** Closes and exits on a signal or an uncaught error. A second signal or error exits at once. */
export function closeGracefully({ log, timeoutMs, close }: Options): void {
  let startedAt: number | undefined

  async function start(reason: Reason): Promise<void> {
    startedAt = performance.now()
    setTimeout(() => fail('Shutdown timed out.', { timeoutMs }), timeoutMs)
    try {
      await close(reason)
    } catch (err) {
      fail('Shutdown failed.', { err })
    }
    process.exit(reason.err === undefined ? 0 : 1)
  }

  function fail(message: string, details: object): never {
    log.error(details, message)
    process.exit(1)
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (startedAt === undefined) void start({ signal })
    else if (performance.now() - startedAt > REPEATED_MS) fail('Second signal: exiting now.', { signal })
  }

  function onError(cause: unknown): void {
    const err = cause ?? new Error('A value that is not an Error was thrown.')
    if (startedAt === undefined) void start({ err })
    else fail('Second error during shutdown: exiting now.', { err })
  }

  for (const signal of SIGNALS) process.on(signal, onSignal)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
}

import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'

const LATE_MS = 100
const BATCH_LENGTH = 65_536
const MAX_KEPT = 16 * 1024 * 1024
const LAST_MS = 2000
const SENSITIVE = ['authorization', 'cookie', 'token', 'hostAccessToken', 'password', 'apiKey']

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: SENSITIVE.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: plainError },
  }
  return pino(options, destination ?? inBatches())
}

/**
 * Lines are handed on together, a tenth of a second late at most. Opening process.stdout has a full pipe refuse instead
 * of holding the process up, so nothing is left to threads, which may not come to write once the process ends.
 */
function inBatches(): DestinationStream {
  const { fd } = process.stdout
  let lines = ''
  let dropped = 0
  let refused = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined

  /** Armed by the first line that waits, so that an idle process has no timer to serve. */
  function handOnSoon(): void {
    timer ??= setTimeout(handOn, LATE_MS).unref()
  }

  function handOn(): void {
    clearTimeout(timer)
    timer = undefined
    try {
      while (refused.length > 0 || lines !== '') {
        if (refused.length === 0) refused = takeLines()
        refused = refused.subarray(writeSync(fd, refused))
      }
    } catch (error) {
      const later = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      if (later) return void handOnSoon()
      lines = ''
      refused = Buffer.alloc(0)
    }
  }

  function takeLines(): Buffer<ArrayBuffer> {
    const notice = { level: 40, time: Date.now(), dropped, msg: 'Nobody read the log: lines were dropped' }
    const taken = dropped === 0 ? lines : `${lines}${JSON.stringify(notice)}\n`
    lines = ''
    dropped = 0
    return Buffer.from(taken)
  }

  process.on('exit', () => {
    const until = Date.now() + LAST_MS
    handOn()
    while (refused.length > 0 && Date.now() < until) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      handOn()
    }
  })

  function write(line: string): void {
    if (lines.length < MAX_KEPT) lines += line
    else dropped++
    if (lines.length >= BATCH_LENGTH && refused.length === 0) handOn()
    else handOnSoon()
  }
  return Object.assign({ write }, { flushSync: handOn })
}

/** Libraries hang requests, headers and rows on their errors; none of that belongs in a log. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'Something that is no error was thrown.' }
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException
  return { type: name, message, stack, code, ...(cause instanceof Error && { cause: plainError(cause) }) }
}

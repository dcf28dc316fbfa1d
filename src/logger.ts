import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import { Problem } from './errors.ts'
import { API_TOKENS } from './lib/apiToken.ts'
import { logFields } from './lib/logFields.ts'
import { logText } from './lib/logText.ts'

const FLUSH_MS = 100
const BATCH_LENGTH = 65_536
const MAX_BUFFERED = 16 * 1024 * 1024
const EXIT_FLUSH_MS = 2000
const SENSITIVE = ['authorization', 'cookie', 'token', 'hostAccessToken', 'password', 'apiKey']

export type LogFormat = 'text' | 'json'

interface LoggerOptions {
  /** Default: text on a terminal, otherwise JSON. */
  format?: LogFormat | undefined
  /** Default: standard output. */
  destination?: DestinationStream
}

export function createLogger(level: string, { format, destination }: LoggerOptions = {}): Logger {
  const isText = format ? format === 'text' : !destination && process.stdout.isTTY
  const stream = destination ?? batchedStdout()
  const options = {
    level,
    redact: { paths: SENSITIVE.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: plainError },
    // A copy: pino adds the fields of the line to it.
    mixin: () => ({ ...logFields() }),
  }
  return pino(options, { ...stream, write: (line) => stream.write(isText ? logText(masked(line)) : masked(line)) })
}

/** Masks API tokens in a line, for example in the path of a request whose client sent a token in place of an id. */
function masked(line: string): string {
  return line.replace(API_TOKENS, 'pp_[redacted]')
}

/**
 * Writes lines in batches, at most 100 ms late. Logging never blocks: once process.stdout has been opened, a full pipe
 * answers EAGAIN, and up to 16 MiB are buffered; dropped lines are counted. No worker thread is used, because it might
 * not write its last lines before the process ends. sonic-boom is not used either: at exit it loses the lines that it
 * is writing while the pipe is full, and the exit never ends once the reader is gone.
 */
function batchedStdout(): DestinationStream {
  const { fd } = process.stdout
  let lines = ''
  let dropped = 0
  let unwritten = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined

  /** The first waiting line starts the timer, so that an idle process has none. */
  function flushSoon(): void {
    timer ??= setTimeout(flush, FLUSH_MS).unref()
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    try {
      while (unwritten.length > 0 || lines !== '') {
        if (unwritten.length === 0) unwritten = takeLines()
        unwritten = unwritten.subarray(writeSync(fd, unwritten))
      }
    } catch (error) {
      const isPipeFull = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      if (isPipeFull) return void flushSoon()
      lines = ''
      unwritten = Buffer.alloc(0)
    }
  }

  function takeLines(): Buffer<ArrayBuffer> {
    const notice = { level: 40, time: Date.now(), dropped, msg: 'Log buffer full: lines were dropped.' }
    const text = dropped === 0 ? lines : `${lines}${JSON.stringify(notice)}\n`
    lines = ''
    dropped = 0
    return Buffer.from(text)
  }

  process.on('exit', () => {
    const until = Date.now() + EXIT_FLUSH_MS
    flush()
    while (unwritten.length > 0 && Date.now() < until) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      flush()
    }
  })

  function write(line: string): void {
    if (lines.length < MAX_BUFFERED) lines += line
    else dropped++
    if (lines.length >= BATCH_LENGTH && unwritten.length === 0) flush()
    else flushSoon()
  }
  return Object.assign({ write }, { flushSync: flush })
}

/**
 * The parts of an error that are logged. Libraries attach requests, headers and rows to their errors, which must not be
 * in a log. A Problem is an expected answer, so where it was thrown does not matter; its cause may be unexpected.
 */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'A value that is not an Error was thrown.' }
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException
  const isExpected = error instanceof Problem
  return {
    type: name,
    message,
    ...(!isExpected && { stack }),
    code,
    ...(cause instanceof Error && { cause: plainError(cause) }),
  }
}

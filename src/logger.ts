import { type DestinationStream, type Logger, pino } from 'pino'

const LATE_MILLISECONDS = 100
const BATCH_LENGTH = 65_536
const SENSITIVE = ['authorization', 'cookie', 'token', 'hostAccessToken', 'password', 'apiKey']

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: SENSITIVE.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: plainError },
  }
  return pino(options, destination ?? inBatches())
}

/** Lines are handed on together, a tenth of a second late at most: one by one, each has all that wait copied anew. */
function inBatches(): DestinationStream {
  const stream = pino.destination({ sync: false })
  let lines = ''
  const handOn = () => {
    if (lines !== '') stream.write(lines)
    lines = ''
  }
  const flushSync = () => {
    handOn()
    stream.flushSync()
  }
  process.on('exit', flushSync)
  setInterval(handOn, LATE_MILLISECONDS).unref()
  const write = (line: string) => {
    lines += line
    if (lines.length >= BATCH_LENGTH) handOn()
  }
  return Object.assign({ write }, { flushSync })
}

/** Libraries hang requests, headers and rows on their errors; none of that belongs in a log. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'Something that is no error was thrown.' }
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException
  return { type: name, message, stack, code, ...(cause instanceof Error && { cause: plainError(cause) }) }
}

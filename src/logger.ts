import { type DestinationStream, type Logger, pino } from 'pino'

const SENSITIVE = ['authorization', 'cookie', 'token', 'hostAccessToken', 'password', 'apiKey']

export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: SENSITIVE.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { err: plainError },
  }
  // Lines are written together, a tenth of a second late at most; pino writes the rest when the process ends.
  return pino(options, destination ?? pino.destination({ sync: false, minLength: 12_288, periodicFlush: 100 }))
}

/** Libraries hang requests, headers and rows on their errors; none of that belongs in a log. */
function plainError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'Something that is no error was thrown.' }
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException
  return { type: name, message, stack, code, ...(cause instanceof Error && { cause: plainError(cause) }) }
}

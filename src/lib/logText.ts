const LEVELS: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' }
/** Characters that a terminal may obey, or that change the direction of text. */
const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu
const PLAIN = /^[\w./:@+%-]+$/

interface LoggedError {
  type?: string
  message?: string
  stack?: string
  cause?: LoggedError
}

/** Turns a line of JSON from the logger into text for a terminal: time, level, message, fields, and the stack of an error. */
export function logText(json: string): string {
  const { level, time, msg = '', err, pid: _, hostname: __, ...fields } = JSON.parse(json)
  const clock = new Date(time).toTimeString().slice(0, 8)
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${valueText(value)}`)
  const line = [clock, (LEVELS[level] ?? String(level)).padEnd(5), visible(msg), ...shown].join(' ')
  return `${[line, ...errorLines(err)].join('\n')}\n`
}

function valueText(value: unknown): string {
  return typeof value === 'string' && PLAIN.test(value) ? value : visible(JSON.stringify(value))
}

/** The stack, or the message of an error that is logged without one, and the same of its causes. */
function errorLines(error: LoggedError | undefined): string[] {
  if (!error) return []
  const lines = (error.stack ?? `${error.type}: ${error.message}`).split('\n')
  return [...lines.map((line) => `    ${visible(line)}`), ...errorLines(error.cause)]
}

function visible(text: string): string {
  return text.replace(CONTROL, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

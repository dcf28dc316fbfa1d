/** An error that a script reports as one line. */
export class ScriptError extends Error {}

/** The error message in one line. */
export function lineOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const reason = cause instanceof Error && !message.includes(cause.message) ? ` (${cause.message})` : ''
  return `${message}${reason}`.replaceAll(/\s*\n\s*/g, ' ')
}

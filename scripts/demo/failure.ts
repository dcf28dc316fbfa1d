/** Something that is said in a line. */
export class DemoFailure extends Error {}

/** What went wrong, in a line, whatever it was. */
export function lineOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const reason = cause instanceof Error && !message.includes(cause.message) ? ` (${cause.message})` : ''
  return `${message}${reason}`.replaceAll(/\s*\n\s*/g, ' ')
}

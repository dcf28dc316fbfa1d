import { clip } from '../../lib/clip.ts'
import { BadAnswer } from '../../writer/errors.ts'

const MAX_FAULTS = 5
const MAX_FAULT_LENGTH = 200
const MAX_CAUSES = 3
const MAX_MESSAGE_LENGTH = 500

/** The first faults of an unusable answer, shortened. */
export function faultsOf(error: unknown): string[] {
  if (!(error instanceof BadAnswer)) return []
  return error.errors.slice(0, MAX_FAULTS).map((text) => clip(text, MAX_FAULT_LENGTH).text)
}

/**
 * What exactly went wrong, a line for each fault or cause; null if there is no more to say than the message of the job's
 * error. Stored with the job, so that nobody has to search the log for it.
 */
export function causeOf(error: unknown, message: string): string | null {
  const faults = faultsOf(error)
  const lines = faults.length > 0 ? faults : messagesOf(error).filter((text) => text !== message)
  // Postgres does not store the character NUL.
  return lines.length > 0 ? [...new Set(lines)].join('\n').replaceAll('\0', '') : null
}

function messagesOf(error: unknown): string[] {
  const messages: string[] = []
  for (let cause = error; cause instanceof Error && messages.length < MAX_CAUSES; cause = cause.cause)
    messages.push(clip(cause.message, MAX_MESSAGE_LENGTH).text)
  return messages
}

import { AsyncLocalStorage } from 'node:async_hooks'

/** The fields of every log line of a request or a job. A request and the job that it started name each other. */
export interface LogFields {
  reqId?: string
  userId?: string
  jobId?: string
  /** As `owner/name`. */
  repository?: string
  hostRepoId?: number
  number?: number
  language?: string
}

const current = new AsyncLocalStorage<LogFields>()

/** Adds the fields to all lines that are logged during the work. */
export function withLogFields<T>(fields: LogFields, work: () => T): T {
  return current.run(fields, work)
}

/** Adds fields to the later lines of the current request or job. */
export function addLogFields(fields: LogFields): void {
  Object.assign(current.getStore() ?? {}, fields)
}

export function logFields(): LogFields {
  return current.getStore() ?? {}
}

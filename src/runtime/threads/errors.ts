/** A task exceeded its time or memory limit. The same input would fail again, so callers must not retry. */
export class TaskLimitExceeded extends Error {
  readonly limit: 'deadline' | 'memory'

  constructor(task: string, limit: 'deadline' | 'memory') {
    super(`The task ${task} exceeded its ${limit === 'deadline' ? 'time limit' : 'memory limit'}.`)
    this.limit = limit
  }
}

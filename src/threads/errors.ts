/** A task took longer, or more memory, than any task may. The same input would again: nothing is gained by a retry. */
export class TaskLimitExceeded extends Error {
  readonly limit: 'deadline' | 'memory'

  constructor(task: string, limit: 'deadline' | 'memory') {
    super(`The task ${task} exceeded its ${limit === 'deadline' ? 'time limit' : 'memory limit'}.`)
    this.limit = limit
  }
}

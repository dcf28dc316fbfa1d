import type { Context } from '../../context.ts'
import { TaskLimitExceeded } from '../../runtime/threads/errors.ts'
import { generationFailed } from '../../writer/errors.ts'
import type { RunStep } from '../../writer/steps/index.ts'

/** Runs the steps of one job in threads. A step that exceeds a limit fails the job, because a retry would fail too. */
export function stepsOf({ threads }: Pick<Context, 'threads'>, signal: AbortSignal): RunStep {
  return (name, input) =>
    threads.run(name, input, signal).catch((error) => {
      if (!(error instanceof TaskLimitExceeded)) throw error
      throw generationFailed('The pull request exceeds the processing limits.', {
        cause: error,
        reason: error.limit,
      })
    })
}

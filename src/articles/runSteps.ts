import type { Context } from '../context.ts'
import { TaskLimitExceeded } from '../threads/errors.ts'
import { generationFailed } from '../writer/errors.ts'
import type { RunStep } from '../writer/steps/index.ts'

/** Runs the steps of one job in threads. A job whose step exceeds a limit has failed: a second try would, too. */
export function stepsOf({ threads }: Pick<Context, 'threads'>, signal: AbortSignal): RunStep {
  return (name, input) =>
    threads.run(name, input, signal).catch((error) => {
      if (!(error instanceof TaskLimitExceeded)) throw error
      throw generationFailed('The pull request takes too much work to write about.', {
        cause: error,
        reason: error.limit,
      })
    })
}

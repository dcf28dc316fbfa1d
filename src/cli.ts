import { ConfigError } from './config/config.ts'
import { DataDirInUse } from './db/engine/embedded.ts'

/** Something a person can mend: where to look, and what went wrong there. */
class StartError extends Error {}

/** Says which variables a failure has to do with. */
export async function concerning<T>(variables: string, work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error
    const [first = error] = error instanceof AggregateError ? error.errors : []
    throw new StartError(`Cannot start, see ${variables}: ${first.message}`, { cause: error })
  })
}

/** Runs a program; what a person can mend is said in a line, anything else with its stack. */
export async function run(program: () => Promise<void>): Promise<void> {
  try {
    await program()
  } catch (error) {
    const mendable = [ConfigError, DataDirInUse, StartError].some((kind) => error instanceof kind)
    console.error(mendable ? (error as Error).message : error)
    process.exit(1)
  }
}

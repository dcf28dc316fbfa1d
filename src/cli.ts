import { DataDirInUse, DataDirOfOther } from './db/engine/embedded.ts'
import { NewerDatabase, OlderDatabase } from './db/engine/migrate.ts'
import { UnsupportedDatabase } from './db/engine/unsupported.ts'
import { type Config, ConfigError } from './runtime/config/config.ts'

/** A start-up error that the operator can fix. */
class StartError extends Error {}

const FIXABLE = [
  ConfigError,
  DataDirInUse,
  DataDirOfOther,
  NewerDatabase,
  OlderDatabase,
  StartError,
  UnsupportedDatabase,
]

/** Turns system errors into a message that names the variables to check. */
export async function explainStartError<T>(variables: string, work: Promise<T>): Promise<T> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error
    const [first = error] = error instanceof AggregateError ? error.errors : []
    throw new StartError(`Cannot start, see ${variables}: ${first.message}`, { cause: error })
  })
}

/** The environment variables that select the database, for error messages. */
export function databaseVariables({ databaseUrl, directDatabaseUrl }: Config): string {
  if (!databaseUrl) return 'DATA_DIR'
  return directDatabaseUrl ? 'DATABASE_URL and MIGRATIONS_DATABASE_URL' : 'DATABASE_URL'
}

/** Runs a program. Errors that the operator can fix are printed as one message, all others with their stack. */
export async function runProgram(program: () => Promise<void>): Promise<void> {
  try {
    await program()
  } catch (error) {
    if (isUsageError(error)) {
      console.error((error as Error).message)
      process.exit(2)
    }
    const isFixable = FIXABLE.some((kind) => error instanceof kind)
    console.error(isFixable ? (error as Error).message : error)
    process.exit(1)
  }
}

/** Whether `parseArgs` threw the error because the program does not know an argument. */
function isUsageError(error: unknown): boolean {
  return error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS_')
}

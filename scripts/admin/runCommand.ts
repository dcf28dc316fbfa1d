import { explainStartError } from '../../src/cli.ts'
import { hasDatabase } from '../../src/db/engine/embedded.ts'
import { requireCurrentSchema } from '../../src/db/engine/migrate.ts'
import { openDatabase } from '../../src/db/engine/open.ts'
import { AdminError } from '../../src/domain/administration/perform.ts'
import { readConfig } from '../../src/runtime/config/config.ts'
import { type Arguments, readArguments, USAGE } from './arguments.ts'
import { type Done, UsageError } from './command.ts'
import { json, plain } from './print.ts'

/** The streams of a process, or what replaces them in a test. */
export type Output = Record<'stdout' | 'stderr', { write(text: string): unknown }>

/** Runs a command and returns the exit code. The environment is read only if the arguments are right. */
export async function runCommand(
  args: string[],
  environment: () => NodeJS.ProcessEnv,
  output: Output,
): Promise<number> {
  try {
    const request = readArguments(args, new Date())
    output.stdout.write(request ? await run(request, environment()) : `${USAGE}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof AdminError)) throw error
    const isUsageError = error instanceof UsageError
    output.stderr.write(isUsageError ? `${error.message}\n\n${USAGE}\n` : `${error.message}\n`)
    return isUsageError ? 2 : 1
  }
}

/** Returns what the command prints. */
async function run({ command, isJson, ...request }: Arguments, env: NodeJS.ProcessEnv): Promise<string> {
  const config = readConfig(env, { encrypts: false })
  if (!config.databaseUrl && !hasDatabase(config.dataDir))
    throw new AdminError(
      `There is no database: DATABASE_URL is unset, and there is none in ${config.dataDir}. Run the command with the variables of the service.`,
    )
  const variable = config.databaseUrl ? 'DATABASE_URL' : 'DATA_DIR'
  const database = await explainStartError(variable, openDatabase({ ...config, onConnectionError: console.error }))
  try {
    const { db } = database
    await explainStartError(variable, requireCurrentSchema(db))
    const outcome = await command.run({ db, config, ...request })
    if ('rows' in outcome) return `${isJson ? json(outcome.rows) : outcome.text}\n`
    return `${isJson ? json(outcome.acts.map((act) => ({ ...act, ...outcome.details }))) : textOf(outcome)}\n`
  } finally {
    await database.close()
  }
}

function textOf({ acts, details = {}, hint }: Done): string {
  const done = acts.map(({ act, subject }) => `Done: ${act}: ${plain(subject)}`)
  const results = Object.entries(details).map(([name, value]) => `${name}: ${value}`)
  return [...done, ...results, ...(hint ? [hint] : [])].join('\n')
}

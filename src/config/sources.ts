import { readFileSync } from 'node:fs'
import type { variables } from './variables.ts'

type Name = keyof typeof variables

/** Their values may come from a file: `DATABASE_URL_FILE` names the one that contains `DATABASE_URL`. */
export const SECRETS = [
  'DATABASE_URL',
  'MIGRATIONS_DATABASE_URL',
  'TOKEN_ENCRYPTION_KEY',
  'CODE_HOST_TOKEN',
  'CODE_HOST_CLIENT_SECRET',
  'OPENAI_API_KEY',
  'WEBHOOK_SECRET',
  'REDIS_URL',
] as const satisfies Name[]

/** Former names of variables, which still work. */
const FORMER_NAMES: Partial<Record<Name, string>> = {
  MIGRATIONS_DATABASE_URL: 'DIRECT_DATABASE_URL',
  PREPARED_STATEMENTS: 'DATABASE_PREPARE',
  SEND_PRIVATE_CODE_TO_MODEL: 'ARTICLES_FOR_PRIVATE',
  MODEL_PRICES_PER_MILLION_TOKENS: 'MODEL_PRICES',
}

/** A variable that is set under its former name. */
export interface RenamedVariable {
  former: string
  name: string
}

export interface Sources {
  values: NodeJS.ProcessEnv
  problems: string[]
  renamed: RenamedVariable[]
  /** Variables whose files could not be read, or are empty. */
  unread: string[]
}

/** Collects the values of all variables, which may be set by their former names or in files. */
export function readSources(environment: NodeJS.ProcessEnv): Sources {
  const trimmed = Object.entries(environment).map(([name, value]) => [name, value?.trim()])
  const values: NodeJS.ProcessEnv = Object.fromEntries(trimmed.filter(([, value]) => value))
  const problems: string[] = []
  const renamed: RenamedVariable[] = []
  const unread: string[] = []
  for (const [name, former] of Object.entries(FORMER_NAMES)) {
    if (!values[former]) continue
    if (values[name]) problems.push(`${former} is the former name of ${name}: set only ${name}`)
    values[name] = values[former]
    renamed.push({ former, name })
  }
  for (const name of SECRETS) {
    const path = values[`${name}_FILE`]
    if (!path) continue
    if (values[name]) problems.push(`${name} and ${name}_FILE are both set: keep one of them`)
    else
      try {
        const text = readFileSync(path, 'utf8').trim()
        if (text) values[name] = text
        else problems.push(`${name}_FILE names an empty file`)
      } catch (error) {
        problems.push(`${name}_FILE names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
      }
    if (!values[name]) unread.push(name)
  }
  return { values, problems, renamed, unread }
}

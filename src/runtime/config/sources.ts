import { readFileSync } from 'node:fs'
import type { variables } from './variables.ts'

type Name = keyof typeof variables

/** Variables whose values may come from a file: `DATABASE_URL_FILE` names the file that contains `DATABASE_URL`. */
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

export interface Sources {
  values: NodeJS.ProcessEnv
  problems: string[]
  /** Variables whose files could not be read, or are empty. */
  unread: string[]
}

/** Collects the values of all variables. Those of secrets may come from files. */
export function readSources(environment: NodeJS.ProcessEnv): Sources {
  const trimmed = Object.entries(environment).map(([name, value]) => [name, value?.trim()])
  const values: NodeJS.ProcessEnv = Object.fromEntries(trimmed.filter(([, value]) => value))
  const problems: string[] = []
  const unread: string[] = []
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
  return { values, problems, unread }
}

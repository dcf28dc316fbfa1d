import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** The process's variables. Values from `.env` replace those that are unset or empty. */
export function environment(): NodeJS.ProcessEnv {
  const set = Object.entries(process.env).filter(([, value]) => value?.trim())
  return { ...(existsSync('.env') && parseEnv(readFileSync('.env', 'utf8'))), ...Object.fromEntries(set) }
}

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { ConfigError } from './config.ts'

/** The process's variables. Values from `.env` replace those that are unset or empty. */
export function environment(): NodeJS.ProcessEnv {
  const set = Object.entries(process.env).filter(([, value]) => value?.trim())
  return { ...(existsSync('.env') && parseEnv(readEnvFile())), ...Object.fromEntries(set) }
}

function readEnvFile(): string {
  try {
    return readFileSync('.env', 'utf8')
  } catch (error) {
    throw new ConfigError([`${resolve('.env')} cannot be read (${(error as NodeJS.ErrnoException).code})`])
  }
}

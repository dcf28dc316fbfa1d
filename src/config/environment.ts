import { existsSync } from 'node:fs'

/** The process's variables, with those of `.env` where there is one; what is set already wins. */
export function environment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

import { parseArgs } from 'node:util'
import { lineOf, ScriptError } from '../demo/scriptError.ts'
import type { Wanted } from './fill.ts'

export const USAGE = `Usage: npm run seed -- --likes 10000000 [--users 200000] [--articles 100000] [--seed 1] [--yes]

Fills the database that DATABASE_URL or DATA_DIR names with made-up users, favourites, articles and likes, until it has
as many likes as requested. Existing data stays; run it again with a larger number to add more.

  --likes     total number of likes, up to 1,000,000,000
  --users     number of made-up users; default: one for 50 likes
  --articles  number of made-up articles; default: one for 100 likes, up to 100,000
  --seed      another number gives other likes
  --yes       fill a database that has real users`
const MAX_COUNT = 1_000_000_000

/** Undefined if help was requested. */
export function readOptions(args: string[]): (Wanted & { yes: boolean }) | undefined {
  const { help, yes, ...given } = parsed(args)
  if (help) return undefined
  if (given.likes === undefined) throw new ScriptError('--likes is required, for example --likes 1000000. See --help.')
  const counts = Object.entries(given).map(([name, value]) => [name, wholeNumber(name, value)])
  return { likes: 0, ...Object.fromEntries(counts), yes }
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    return parseArgs({ args, options: { likes: text, users: text, articles: text, seed: text, yes: flag, help: flag } })
      .values
  } catch (error) {
    throw new ScriptError(lineOf(error))
  }
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value)
  if (/^\d+$/.test(value) && number >= 1 && number <= MAX_COUNT) return number
  throw new ScriptError(`--${name} takes a whole number from 1 to ${MAX_COUNT.toLocaleString('en')}.`)
}

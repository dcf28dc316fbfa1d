import { parseArgs } from 'node:util'
import { SeedFailure } from './failure.ts'

export const USAGE = `Usage: npm run seed -- --likes 10000000 [--users 200000] [--articles 100000] [--seed 1] [--yes]

Fills the database that DATABASE_URL or DATA_DIR names with made-up users, articles and likes, until it has as many
likes as requested. Existing data stays; run it again with a larger number to add more.

  --likes     total number of likes, up to 1,000,000,000
  --users     number of made-up users; default: one for 50 likes
  --articles  number of made-up articles; default: one for 100 likes, up to 100,000
  --seed      another number gives other likes
  --yes       fill a database that has real users`

const NUMBERS = '--likes, --users, --articles and --seed'
const MAX_LIKES = 1_000_000_000
const MAX_COUNT = 100_000_000

export interface Options {
  likes: number
  users?: number
  articles?: number
  seed?: number
  yes: boolean
}

/** Undefined if help was requested. */
export function readOptions(args: string[]): Options | undefined {
  const { likes, users, articles, seed, yes, help } = parsed(args)
  if (help) return undefined
  if (likes === undefined) throw new SeedFailure('--likes is required, for example --likes 1000000. See --help.')
  return {
    likes: wholeNumber('--likes', likes, MAX_LIKES),
    ...(users !== undefined && { users: wholeNumber('--users', users, MAX_COUNT) }),
    ...(articles !== undefined && { articles: wholeNumber('--articles', articles, MAX_COUNT) }),
    ...(seed !== undefined && { seed: wholeNumber('--seed', seed, MAX_COUNT) }),
    yes,
  }
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean', default: false } as const
  try {
    const options = { likes: text, users: text, articles: text, seed: text, yes: flag, help: flag }
    return parseArgs({ args, options }).values
  } catch (error) {
    // Node’s own message for a number that starts with a dash has three lines.
    const { message, code } = error as NodeJS.ErrnoException
    throw new SeedFailure(code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? `${NUMBERS} take whole numbers.` : message)
  }
}

function wholeNumber(name: string, value: string, max: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > max)
    throw new SeedFailure(`${name} takes a whole number from 1 to ${max.toLocaleString('en')}.`)
  return number
}

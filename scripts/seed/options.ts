import { parseArgs } from 'node:util'
import { SeedFailure } from './failure.ts'

export const USAGE = `Usage: npm run seed -- --likes 10000000 [--users 200000] [--articles 100000] [--seed 1] [--yes]

Fills the database that DATABASE_URL or DATA_DIR names with made-up users, articles and likes, until it has as many
likes as asked for. What is there stays; run again with a larger number, it goes on.

  --likes     how many likes there are to be, up to 1,000,000,000
  --users     how many made-up users like; one for 50 likes unless said otherwise
  --articles  how many made-up articles there are; one for 100 likes, up to 100,000, unless said otherwise
  --seed      another number gives other likes
  --yes       fill a database that has users who were not made up`

const NUMBERS = '--likes, --users, --articles and --seed'
const MAX_LIKES = 1_000_000_000
const MOST = 100_000_000

export interface Options {
  likes: number
  users?: number
  articles?: number
  seed?: number
  yes: boolean
}

/** Undefined where help was asked for. */
export function readOptions(args: string[]): Options | undefined {
  const { likes, users, articles, seed, yes, help } = parsed(args)
  if (help) return undefined
  if (likes === undefined)
    throw new SeedFailure('Say how many likes there are to be: --likes 1000000. --help tells more.')
  return {
    likes: wholeNumber('--likes', likes, MAX_LIKES),
    ...(users !== undefined && { users: wholeNumber('--users', users, MOST) }),
    ...(articles !== undefined && { articles: wholeNumber('--articles', articles, MOST) }),
    ...(seed !== undefined && { seed: wholeNumber('--seed', seed, MOST) }),
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
    // Its own message for a number that begins with a dash takes three lines.
    const { message, code } = error as NodeJS.ErrnoException
    throw new SeedFailure(code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? `${NUMBERS} take whole numbers.` : message)
  }
}

function wholeNumber(name: string, value: string, most: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > most)
    throw new SeedFailure(`${name} takes a whole number from 1 to ${most.toLocaleString('en')}.`)
  return number
}

import { userInfo } from 'node:os'
import { parseArgs } from 'node:util'
import { SPENDING_GROUPS, type SpendingGroup } from '../../src/db/admin/spending.ts'
import type { Operator } from '../../src/domain/administration/perform.ts'
import { isId } from '../../src/web/pages/page.ts'
import { blockUser, endSessionsOf, unblockUser, users } from './accounts.ts'
import { deleteArticleOf, regenerateArticle } from './articles.ts'
import { type Command, type Options, UsageError } from './command.ts'
import { forgetTokens } from './forgetToken.ts'
import { hidden, hide, unhide } from './hiding.ts'
import { cancel, jobs, retry } from './jobs.ts'
import { log } from './log.ts'
import { closeMistakeOf, mistakes } from './mistakes.ts'
import { resumeAll } from './resuming.ts'
import { spending } from './spending.ts'

export const USAGE = `Usage: npm run admin -- <command> [options]

  users                        accounts, newest first: --limit 50, --after <id>
  spending                     articles, model tokens and their cost: --days 30, --per day|month|repository|user|model
  hide article <which>         hides an article from everybody: owner/name#number, its id, or the URL of its page or
                               pull request
  hide repository <owner/name> hides a repository and all its articles from everybody
  unhide article|repository …  shows it again: takes the same as hide
  hidden                       what is hidden, since when and why
  delete article <which>       deletes an article with its likes, in all languages; it may be written again
  regenerate <which article>   has an article written again: --language ja; only about public repositories
  jobs                         jobs that write articles, newest first, with the cause of failures: --limit 50,
                               --failed only those
  retry <job id>               starts a failed job again; only about public repositories
  cancel <job id>              ends a queued or running job
  end-sessions <login>         ends all sessions of a user: the login, or the id on the code host
  block <login>                refuses every sign-in, session and token of a user, and cancels the user's jobs
  unblock <login>              accepts them again
  forget-token <login>         accepts the tokens again that a user has logged out within 30 days, or, without a login,
                               the token on standard input: gh auth token | npm run admin -- forget-token
  mistakes                     open reports of mistakes, newest first: --limit 50, --all also closed ones
  close-mistake <id>           marks a report as done: the id is in the first line that mistakes shows
  resume                       ends the pauses of the model and of automatic articles that /readyz shows
  log                          what was done with this command, newest first: --limit 50

  --note "why"  --by <name>    for the log, with every command that changes something
  --json                       prints JSON`

const commands: Record<string, Command> = {
  users,
  spending,
  hide,
  unhide,
  hidden,
  delete: deleteArticleOf,
  regenerate: regenerateArticle,
  jobs,
  retry,
  cancel,
  'end-sessions': endSessionsOf,
  block: blockUser,
  unblock: unblockUser,
  'forget-token': forgetTokens,
  mistakes,
  'close-mistake': closeMistakeOf,
  resume: resumeAll,
  log,
}

const MAX_LIMIT = 10_000
const MAX_DAYS = 3650
const MAX_NOTE_CHARACTERS = 1000

export interface Arguments {
  command: Command
  words: string[]
  options: Options
  operator: Operator
  isJson: boolean
}

/** Undefined if help was requested. */
export function readArguments(args: string[], now: Date): Arguments | undefined {
  const { values, positionals } = parsed(args)
  const { help, json, note, by, limit, days, per, after, all, failed, language } = values
  if (help) return undefined
  const [name = '', ...words] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(name ? `There is no command ${name}.` : 'Name a command.')
  const { words: min, optionalWords = 0 } = command
  if (words.length < min || words.length > min + optionalWords)
    throw new UsageError(`${name} takes ${optionalWords ? 'at most ' : ''}${min + optionalWords} more words.`)
  const taken = ['json', ...command.options, ...(command.kind === 'act' ? ['note', 'by'] : [])]
  const other = Object.keys(values).find((option) => !taken.includes(option))
  if (other) throw new UsageError(`${name} does not take --${other}.`)
  if (after !== undefined && !isId(after)) throw new UsageError('--after takes an id.')
  return {
    ...{ command, words, isJson: json ?? false },
    options: {
      limit: wholeNumber('limit', limit ?? '50', MAX_LIMIT),
      days: wholeNumber('days', days ?? '30', MAX_DAYS),
      per: groupOf(per ?? 'day'),
      ...{ after, all: all ?? false, failed: failed ?? false, language },
    },
    operator: { at: now, by: textOf('by', by) ?? userName(), note: textOf('note', note) ?? null },
  }
}

function parsed(args: string[]) {
  const [text, flag] = [{ type: 'string' } as const, { type: 'boolean' } as const]
  const values = { limit: text, days: text, per: text, after: text, language: text, note: text, by: text }
  const flags = { all: flag, failed: flag, json: flag, help: flag }
  try {
    return parseArgs({ args, options: { ...values, ...flags }, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function wholeNumber(name: string, value: string, max: number): number {
  const number = Number(value)
  if (!/^\d+$/.test(value) || number < 1 || number > max)
    throw new UsageError(`--${name} takes a whole number from 1 to ${max}.`)
  return number
}

function groupOf(text: string): SpendingGroup {
  const group = SPENDING_GROUPS.find((known) => known === text)
  if (!group) throw new UsageError(`--per takes ${SPENDING_GROUPS.join(', ')}.`)
  return group
}

/** The name of the operating system's user, or the uid: containers may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}

function textOf(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  if (text === '' || text.length > MAX_NOTE_CHARACTERS)
    throw new UsageError(`--${name} takes a text of at most ${MAX_NOTE_CHARACTERS} characters.`)
  return text
}

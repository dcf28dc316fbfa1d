import type { Kysely } from 'kysely'
import type { SpendingGroup } from '../../src/db/admin/spending.ts'
import type { Schema } from '../../src/db/schema/schema.ts'
import type { Act, Operator } from '../../src/domain/administration/perform.ts'
import type { Config } from '../../src/runtime/config/config.ts'

/** Thrown if the arguments do not match the usage. */
export class UsageError extends Error {}

export interface Options {
  limit: number
  days: number
  per: SpendingGroup
  after: string | undefined
  all: boolean
  failed: boolean
  language: string | undefined
}

export interface Request {
  db: Kysely<Schema>
  config: Config
  /** The arguments after the name of the command. */
  words: string[]
  options: Options
  operator: Operator
}

/** The output of a list: rows to print as JSON, and a text for a terminal. */
export interface Listing {
  rows: object[]
  text: string
}

/** What a command did. Each act is recorded in the log. */
export interface Done {
  acts: Act[]
  /** The results by name, such as the number of ended sessions. */
  details?: Record<string, string | number>
  /** What the operator may want to do next. */
  hint?: string | undefined
}

export interface Command {
  /** How many arguments follow the name of the command. */
  words: number
  /** How many more may follow. */
  optionalWords?: number
  /** The options of this command, besides those that all commands, or all acts, take. */
  options: (keyof Options)[]
  kind: 'list' | 'act'
  run(request: Request): Promise<Listing | Done>
}

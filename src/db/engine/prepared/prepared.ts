import { type Compilable, CompiledQuery, type Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { poolOf, type Statement, send } from '../pools.ts'
import { localSettingsOf, type Settings } from '../settings.ts'
import { nameOf } from './namedStatements.ts'
import { toWire } from './toWire.ts'

/** A placeholder for a value: field `name` of the argument at position `source`. */
class Slot {
  readonly source: number
  readonly name: string

  constructor(source: number, name: string) {
    this.source = source
    this.name = name
  }
}

type Sources = Record<string, unknown>[]
type Query<From extends object[], Row> = (db: Kysely<Schema>, ...from: From) => Promise<Row[]>

/**
 * A query that is built once and then filled with values on each run. It serves queries that run on every request,
 * because building the same text again would cost more than running it. `build` gets placeholders, so it must pass
 * fields on unchanged and must not compute or branch with them. `settings` of Postgres apply to this query alone.
 */
export function prepared<From extends object[], Row>(
  build: (db: Kysely<Schema>, ...from: From) => Compilable<Row>,
  settings?: Settings,
): Query<From, Row> {
  let template: Template<Row> | undefined
  return (db, ...from) => {
    template ??= toTemplate(build(db, ...(from.map((_, i) => slotsOf(i)) as From)).compile(), settings)
    const { query, values, statement } = template
    const filled = fillIn(values, from as unknown as Sources)
    const pool = poolOf(db)
    if (pool && statement) return send(pool, statement, filled)
    return run(db, { ...query, parameters: filled }, settings)
  }
}

async function run<Row>(db: Kysely<Schema>, query: CompiledQuery<Row>, settings: Settings | undefined): Promise<Row[]> {
  if (settings && !db.isTransaction) return db.transaction().execute((trx) => run(trx, query, settings))
  if (settings) await db.executeQuery(CompiledQuery.raw(localSettingsOf(settings)))
  const { rows } = await db.executeQuery<Row>(query)
  return rows
}

function fillIn(values: unknown[], from: Sources): unknown[] {
  const filled = new Array(values.length)
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    filled[i] = value instanceof Slot ? toWire(from[value.source]?.[value.name]) : value
  }
  return filled
}

function slotsOf(source: number): object {
  return new Proxy({}, { get: (_, name) => new Slot(source, String(name)) })
}

interface Template<Row> {
  query: CompiledQuery<Row>
  values: unknown[]
  /** Undefined if the limit of named statements is reached. */
  statement: Statement<Row> | undefined
}

/** Replaces all uses of a placeholder by the same parameter, and names the statement. */
function toTemplate<Row>(compiled: CompiledQuery<Row>, settings: Settings | undefined): Template<Row> {
  const values: unknown[] = []
  const places = compiled.parameters.map((value) => {
    const index = values.findIndex((other) => isSameSlot(other, value))
    return index === -1 ? values.push(toWire(value)) : index + 1
  })
  const sql = compiled.sql.replace(/\$(\d+)/g, (_, place) => `$${places[Number(place) - 1]}`)
  const set = settings && named(localSettingsOf(settings))
  return { query: { ...compiled, sql }, values, statement: settings && !set ? undefined : named<Row>(sql, set) }
}

function named<Row>(text: string, settings?: Statement<unknown>): Statement<Row> | undefined {
  const name = nameOf(text)
  return name === undefined ? undefined : { name, text, ...(settings && { settings }) }
}

function isSameSlot(a: unknown, b: unknown): boolean {
  return a instanceof Slot && b instanceof Slot && a.source === b.source && a.name === b.name
}

/** A tree of shape values: walking it is faster than joining the values into one map key. */
class Branch<Query> extends Map<unknown, Branch<Query>> {
  query: Query | undefined
}

function branchAt<Query>(branch: Branch<Query>, value: unknown): Branch<Query> {
  const child = branch.get(value)
  if (child) return child
  const next = new Branch<Query>()
  branch.set(value, next)
  return next
}

/**
 * Variants of a query that differ in ways no parameter can express, each built when first needed. Keep them few: every
 * connection stores each one as a prepared statement.
 */
export function preparedInShapes<Shape extends object, From extends object[], Row>(
  build: (db: Kysely<Schema>, shape: Shape, ...from: From) => Compilable<Row>,
  settings?: Settings,
): (db: Kysely<Schema>, shape: Shape, ...from: From) => Promise<Row[]> {
  const root = new Branch<Query<From, Row>>()
  return (db, shape, ...from) => {
    let branch = root
    for (const key in shape) branch = branchAt(branch, shape[key])
    branch.query ??= prepared((on, ...slots) => build(on, shape, ...slots), settings)
    return branch.query(db, ...from)
  }
}

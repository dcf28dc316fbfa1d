import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Schema } from '../../schema/schema.ts'
import { poolOf, type Statement, send } from '../pools.ts'
import { nameOf } from './namedStatements.ts'

/** Where a value will stand: the field of one of the objects that a query is filled in from. */
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
 * A query that is put together once and then only filled in: for those that run on every request, where building the
 * same text again costs more than all else. What it is filled in from must be used as it is, not computed with.
 */
export function prepared<From extends object[], Row>(
  build: (db: Kysely<Schema>, ...from: From) => Compilable<Row>,
): Query<From, Row> {
  let template: Template<Row> | undefined
  return (db, ...from) => {
    template ??= toTemplate(build(db, ...(from.map((_, i) => slotsOf(i)) as From)).compile())
    const { query, values, statement } = template
    const filled = fillIn(values, from as unknown as Sources)
    const pool = poolOf(db)
    if (pool && statement) return send(pool, statement, filled)
    return db.executeQuery<Row>({ ...query, parameters: filled }).then(({ rows }) => rows)
  }
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
  /** Undefined where there are too many with names already. */
  statement: Statement<Row> | undefined
}

/** Each parameter once, however often it is used. */
function toTemplate<Row>(compiled: CompiledQuery<Row>): Template<Row> {
  const values: unknown[] = []
  const places = compiled.parameters.map((value) => {
    const known = values.findIndex((one) => isSameSlot(one, value))
    return known === -1 ? values.push(toWire(value)) : known + 1
  })
  const sql = compiled.sql.replace(/\$(\d+)/g, (_, place) => `$${places[Number(place) - 1]}`)
  const name = nameOf(sql)
  return { query: { ...compiled, sql }, values, statement: name === undefined ? undefined : { name, text: sql } }
}

function isSameSlot(one: unknown, other: unknown): boolean {
  return one instanceof Slot && other instanceof Slot && one.source === other.source && one.name === other.name
}

/** The driver would write a time out with its zone, and slowly. Most of those that come together are the same. */
function toWire(value: unknown): unknown {
  if (!(value instanceof Date)) return value
  const time = value.getTime()
  if (time !== lastTime) {
    lastText = value.toISOString()
    lastTime = time
  }
  return lastText
}

let lastTime = Number.NaN
let lastText = ''

/** A tree of values: to go down it takes less time than to join them into one name. */
class Branch<Query> extends Map<unknown, Branch<Query>> {
  query: Query | undefined
}

function branchAt<Query>(branch: Branch<Query>, value: unknown): Branch<Query> {
  const known = branch.get(value)
  if (known) return known
  const next = new Branch<Query>()
  branch.set(value, next)
  return next
}

/**
 * Queries that differ in a few ways that no parameter can express, each put together when it is first needed. There
 * must be few: every connection keeps a plan of each.
 */
export function preparedInShapes<Shape extends object, From extends object[], Row>(
  build: (db: Kysely<Schema>, shape: Shape, ...from: From) => Compilable<Row>,
): (db: Kysely<Schema>, shape: Shape, ...from: From) => Promise<Row[]> {
  const root = new Branch<Query<From, Row>>()
  return (db, shape, ...from) => {
    let branch = root
    for (const key in shape) branch = branchAt(branch, shape[key])
    branch.query ??= prepared((on, ...slots) => build(on, shape, ...slots))
    return branch.query(db, ...from)
  }
}

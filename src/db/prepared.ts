import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { nameOf } from './namedStatements.ts'
import { poolOf, type Statement, send } from './pools.ts'
import type { Schema } from './schema.ts'

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
    const filled = values.map((value) =>
      value instanceof Slot ? toWire((from as unknown as Sources)[value.source]?.[value.name]) : value,
    )
    const pool = poolOf(db)
    if (pool && statement) return send(pool, statement, filled)
    return db.executeQuery<Row>({ ...query, parameters: filled }).then(({ rows }) => rows)
  }
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

/** The driver would write a time out with its zone, and slowly. */
function toWire(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value
}

/**
 * Queries that differ in a few ways that no parameter can express, each put together when it is first needed. There
 * must be few: every connection keeps a plan of each.
 */
export function preparedInShapes<Shape extends object, From extends object[], Row>(
  build: (db: Kysely<Schema>, shape: Shape, ...from: From) => Compilable<Row>,
): (db: Kysely<Schema>, shape: Shape, ...from: From) => Promise<Row[]> {
  const queries = new Map<string, Query<From, Row>>()
  return (db, shape, ...from) => {
    let name = ''
    for (const key in shape) name += `${shape[key]},`
    const query = queries.get(name) ?? prepared<From, Row>((on, ...slots) => build(on, shape, ...slots))
    queries.set(name, query)
    return query(db, ...from)
  }
}

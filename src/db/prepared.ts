import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { nameOf } from './namedStatements.ts'
import { poolOf } from './pools.ts'
import type { Schema } from './schema.ts'

class Slot {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is put together once and then only filled in: for those that run on every request, where building the
 * same text again costs more than all else. Its parameters must be used as they are, not computed with.
 */
export function prepared<Parameters extends object, Row>(
  build: (db: Kysely<Schema>, parameters: Parameters) => Compilable<Row>,
): (db: Kysely<Schema>, parameters: Parameters) => Promise<Row[]> {
  const slots = new Proxy({} as Parameters, { get: (_, name) => new Slot(String(name)) })
  let template: Template | undefined
  return async (db, parameters) => {
    template ??= toTemplate(build(db, slots).compile())
    const { sql, query, values } = template
    const filled = values.map((value) =>
      toWire(value instanceof Slot ? parameters[value.name as keyof Parameters] : value),
    )
    const pool = poolOf(db)
    if (pool) return (await pool.query({ name: nameOf(sql), text: sql, values: filled })).rows
    return (await db.executeQuery<Row>({ ...query, sql, parameters: filled } as CompiledQuery<Row>)).rows
  }
}

interface Template {
  sql: string
  query: CompiledQuery<unknown>
  values: unknown[]
}

/** Each parameter once, however often it is used. */
function toTemplate(query: CompiledQuery<unknown>): Template {
  const values: unknown[] = []
  const places = query.parameters.map((value) => {
    const known = value instanceof Slot ? values.findIndex((one) => one instanceof Slot && one.name === value.name) : -1
    return known === -1 ? values.push(value) : known + 1
  })
  return { sql: query.sql.replace(/\$(\d+)/g, (_, place) => `$${places[Number(place) - 1]}`), query, values }
}

/** The driver would write a time out with its zone, and slowly. */
function toWire(value: unknown): unknown {
  return value instanceof Date ? isoOf(value) : value
}

let last = { time: 0, iso: '' }

/** A statement has a time or two, each several times over. */
function isoOf(date: Date): string {
  const time = date.getTime()
  if (time !== last.time) last = { time, iso: date.toISOString() }
  return last.iso
}

/**
 * Queries that differ in a few ways that no parameter can express, each put together when it is first needed. There
 * must be few: every connection keeps a plan of each.
 */
export function preparedInShapes<Shape extends object, Parameters extends object, Row>(
  build: (db: Kysely<Schema>, shape: Shape, parameters: Parameters) => Compilable<Row>,
): (db: Kysely<Schema>, shape: Shape, parameters: Parameters) => Promise<Row[]> {
  const queries = new Map<string, (db: Kysely<Schema>, parameters: Parameters) => Promise<Row[]>>()
  return (db, shape, parameters) => {
    let name = ''
    for (const key in shape) name += `${shape[key]},`
    const query = queries.get(name) ?? prepared((on, slots: Parameters) => build(on, shape, slots))
    queries.set(name, query)
    return query(db, parameters)
  }
}

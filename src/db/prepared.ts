import type { Compilable, CompiledQuery, Kysely } from 'kysely'
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
  let template: CompiledQuery<Row> | undefined
  return async (db, parameters) => {
    template ??= build(db, slots).compile()
    const fill = (value: unknown) => (value instanceof Slot ? parameters[value.name as keyof Parameters] : value)
    const { rows } = await db.executeQuery<Row>({ ...template, parameters: template.parameters.map(fill) })
    return rows
  }
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
    const name = Object.values(shape).join()
    const query = queries.get(name) ?? prepared((on, slots: Parameters) => build(on, shape, slots))
    queries.set(name, query)
    return query(db, parameters)
  }
}

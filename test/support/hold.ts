import type { Kysely } from 'kysely'

/**
 * Runs `take` in a transaction and holds its locks until the returned function is called. Resolves once `take` is done,
 * so that no test depends on which statement reaches the database first.
 */
export async function hold<T>(db: Kysely<T>, take: (trx: Kysely<T>) => Promise<unknown>): Promise<() => Promise<void>> {
  const taken = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (trx) => {
    await take(trx)
    taken.resolve()
    await released.promise
  })
  await Promise.race([taken.promise, holding])
  return () => {
    released.resolve()
    return holding
  }
}

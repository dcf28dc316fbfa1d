/** The first migration of version 0.1.0, which was never released. No later migration has this name. */
export const FIRST_MIGRATION_OF_0_1_0 = '0001_accounts_and_favorites'

/** Thrown if version 0.1.0 made the database, before anything is written to it. */
export class UnsupportedDatabase extends Error {
  readonly found: string
  readonly remedy: string

  /** `dataDir` is the folder of an embedded database. */
  constructor(dataDir?: string) {
    const message = `The database${dataDir ? ` in ${dataDir}` : ''} was made by Pullpress 0.1.0 and cannot be upgraded.`
    const remedy = dataDir ? 'Set DATA_DIR to a new folder.' : 'Set DATABASE_URL to a new database.'
    super(`${message} Nothing in it was changed. ${remedy}`)
    this.found = message
    this.remedy = remedy
  }
}

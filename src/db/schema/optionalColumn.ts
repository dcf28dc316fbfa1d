import type { ColumnType } from 'kysely'

/** A column that inserts may leave out. */
export type OptionalColumn<T> = ColumnType<T | null, T | null | undefined, T | null>

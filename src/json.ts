/** JSON that is written already, of something of type T, in parts that need only be joined. */
export interface JsonText<T> {
  parts: (string | Buffer)[]
  readonly of?: T
}

interface Pagination {
  totalItems: number
  limit: number
  offset: number
}

/** A page of a list whose items are JSON already. */
export function pageText<Item>(
  items: string,
  { totalItems, limit, offset }: Pagination,
): JsonText<{ data: Item[]; pagination: Pagination }> {
  const pagination = `{"totalItems":${totalItems},"limit":${limit},"offset":${offset}}`
  return { parts: [`{"data":${items},"pagination":${pagination}}`] }
}

/** JSON that is written already, of something of type T, in parts that need only be joined. */
export interface JsonText<T> {
  parts: (string | Buffer)[]
  readonly of?: T
}

/** A page of a list whose items are JSON already. */
export function pageText<Item>(
  items: string,
  pagination: { totalItems: number; limit: number; offset: number },
): JsonText<{ data: Item[]; pagination: typeof pagination }> {
  return { parts: [`{"data":${items},"pagination":${JSON.stringify(pagination)}}`] }
}

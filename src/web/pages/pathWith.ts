/** A path with a query of the values that are set. */
export function pathWith(path: string, values: Record<string, string | undefined>): string {
  const query = new URLSearchParams(Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]))
  return query.size > 0 ? `${path}?${query}` : path
}

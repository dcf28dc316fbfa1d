/** A path with a query of the values that are set. */
export function pathWith(path: string, values: Record<string, string | string[] | undefined>): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const query = new URLSearchParams(pairs.filter(([, value]) => value !== ''))
  return query.size > 0 ? `${path}?${query}` : path
}

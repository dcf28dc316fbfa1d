/** Serialized JSON of a T, in parts to be concatenated. */
export interface JsonText<T> {
  parts: (string | Buffer)[]
  readonly of?: T
}

/** A page of a list whose items are already JSON. */
export function pageText<Page extends { pagination: object }>(
  items: string,
  pagination: Page['pagination'],
): JsonText<Page> {
  return { parts: ['{"data":', items, `,"pagination":${JSON.stringify(pagination)}}`] }
}

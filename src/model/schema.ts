/** A JSON schema, as far as we look into one. */
export interface JsonSchema {
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: boolean | JsonSchema
  items?: JsonSchema
  $ref?: string
  [keyword: string]: unknown
}

const COMMON = ['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description']

/** What every server that takes schemas understands: no bounds, no patterns. Answers are checked by the whole one. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const kept: JsonSchema = Object.fromEntries(Object.entries(schema).filter(([keyword]) => COMMON.includes(keyword)))
  if (schema.items) kept.items = plainSchema(schema.items)
  if (schema.properties) kept.properties = mapped(schema.properties, plainSchema)
  return kept
}

export function mapped<T, U>(record: Record<string, T>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

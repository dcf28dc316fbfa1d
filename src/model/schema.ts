/** The parts of a JSON schema that we use. */
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

/** The subset that all servers accept: no bounds, no patterns. Answers are validated by the full schema. */
export function plainSchema(schema: JsonSchema): JsonSchema {
  const kept: JsonSchema = Object.fromEntries(Object.entries(schema).filter(([keyword]) => COMMON.includes(keyword)))
  if (schema.items) kept.items = plainSchema(schema.items)
  if (schema.properties) kept.properties = mapped(schema.properties, plainSchema)
  return kept
}

export function mapped<T, U>(record: Record<string, T>, change: (value: T, key: string) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}

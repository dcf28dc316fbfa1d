type Json = unknown

/** Keywords of OpenAPI that JSON Schema does not have. */
const ANNOTATIONS = /^(example|examples|discriminator|x-.*)$/

/** Converts a schema of OpenAPI 3.0 to JSON Schema. References point into the document `id`. */
export function toJsonSchema(schema: Json, id: string): Json {
  if (Array.isArray(schema)) return schema.map((item) => toJsonSchema(item, id))
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...keywords } = schema as Record<string, Json>
  const converted = Object.fromEntries(
    Object.entries(keywords)
      .filter(([keyword]) => !ANNOTATIONS.test(keyword))
      .map(([keyword, value]) => [keyword, convertKeyword(keyword, value, id)]),
  )
  return nullable === true ? { anyOf: [converted, { type: 'null' }] } : converted
}

/** Converts schemas, given by name. */
export function toJsonSchemas(schemas: object, id: string): Record<string, Json> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toJsonSchema(schema, id)]))
}

function convertKeyword(keyword: string, value: Json, id: string): Json {
  if (keyword === 'properties') return toJsonSchemas(value as object, id)
  return keyword === '$ref' ? `${id}${value}` : toJsonSchema(value, id)
}

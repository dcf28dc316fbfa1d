const DROPPED = [
  'summary',
  'example',
  'examples',
  'externalDocs',
  'tags',
  'text/event-stream',
  'text/markdown',
  'text/html',
]
/** Objects whose keys are names, so that a property called `summary` is not dropped. */
const MAPS = ['properties', 'paths', 'schemas', 'parameters', 'headers']
const ERROR_STATUS = /^[45]\d\d$/

type Schemas = Record<string, object>

/**
 * The contract as the server binds it, without parts that would only cost time and memory at every start: texts,
 * examples and error responses. All errors have one format and are serialized without a schema. Event streams are left
 * out because fastify-openapi-glue would accept request bodies of every declared content type. Operations that read
 * their body themselves are left out because `serveRawOperations` binds them.
 */
export function routesOf(contract: { components: { schemas: object } }): unknown {
  return withoutTexts(withoutAlternatives(contract, contract.components.schemas as Schemas))
}

/**
 * Replaces the alternatives in schemas: the serializer would validate each value against each of them. A schema or null
 * becomes a schema with two types, and a discriminated union any value.
 */
function withoutAlternatives(value: unknown, schemas: Schemas): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutAlternatives(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { anyOf, oneOf, ...members } = value as { anyOf?: { type?: unknown; $ref?: string }[]; oneOf?: unknown[] }
  if (Array.isArray(oneOf)) return {}
  const kept = Object.fromEntries(
    Object.entries(members).map(([key, item]) => [key, withoutAlternatives(item, schemas)]),
  )
  if (!Array.isArray(anyOf)) return kept
  const [named = {}, ...others] = anyOf.filter(({ type }) => type !== 'null')
  if (others.length > 0) return { ...kept, anyOf }
  const schema = schemas[named.$ref?.split('/').at(-1) ?? ''] ?? named
  const { type, enum: values, ...rest } = withoutAlternatives(schema, schemas) as { type?: string; enum?: unknown[] }
  return { ...kept, ...rest, ...(type && { type: [type, 'null'] }), ...(values && { enum: [...values, null] }) }
}

function withoutTexts(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, item]) => (isMap || !DROPPED.includes(key)) && !item?.['x-raw-body'])
  return Object.fromEntries(kept.map(([key, item]) => [key, isMap ? withoutTexts(item) : memberOf(key, item)]))
}

function memberOf(key: string, value: unknown): unknown {
  // Emptied instead of dropped, because OpenAPI requires some descriptions.
  if (key === 'description') return ''
  if (key !== 'responses') return withoutTexts(value, MAPS.includes(key))
  const kept = Object.entries(value as object).filter(([status]) => !ERROR_STATUS.test(status))
  return Object.fromEntries(kept.map(([status, response]) => [status, withoutTexts(response)]))
}

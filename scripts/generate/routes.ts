const DROPPED = ['summary', 'example', 'examples', 'externalDocs', 'tags', 'text/event-stream']
/** Objects whose keys are names, so that a property called `summary` is not dropped. */
const MAPS = ['properties', 'paths', 'schemas', 'parameters', 'headers']
const ERROR_STATUS = /^[45]\d\d$/

/**
 * The contract as the server binds it, without parts that would only cost time and memory at every start: texts,
 * examples and error responses. All errors have one format and are serialized without a schema. Event streams are left
 * out because fastify-openapi-glue would accept request bodies of every declared content type. Operations that read
 * their body themselves are left out because `serveRawOperations` binds them.
 */
export function routesOf(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.map((item) => routesOf(item))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key, item]) => (isMap || !DROPPED.includes(key)) && !item?.['x-raw-body'])
  return Object.fromEntries(kept.map(([key, item]) => [key, isMap ? routesOf(item) : memberOf(key, item)]))
}

function memberOf(key: string, value: unknown): unknown {
  // Emptied instead of dropped, because OpenAPI requires some descriptions.
  if (key === 'description') return ''
  if (key !== 'responses') return routesOf(value, MAPS.includes(key))
  const kept = Object.entries(value as object).filter(([status]) => !ERROR_STATUS.test(status))
  return Object.fromEntries(kept.map(([status, response]) => [status, routesOf(response)]))
}

import type { JsonSchema } from '../../../src/model/schema.ts'

interface Node extends JsonSchema {
  anyOf?: Node[]
  enum?: unknown[]
  const?: unknown
}

/** Changes a value as little as needed to fit a schema, as a server with strict schemas forces a model to. */
export function fitted(value: unknown, schema: JsonSchema, root: JsonSchema = schema): unknown {
  const { $ref, anyOf, enum: values, const: constant, properties, items } = schema as Node
  if ($ref) return fitted(value, resolved($ref, root), root)
  if (anyOf) return fitted(value, anyOf.find((option) => isLike(value, option)) ?? anyOf[0] ?? {}, root)
  if (constant !== undefined) return constant
  if (values) return values.includes(value) ? value : values[0]
  const types = [schema.type ?? []].flat()
  if (types.includes('null') && (value === null || value === undefined)) return null
  switch (types.find((type) => type !== 'null')) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([name, property]) => [name, fitted(Object(value)[name], property, root)]),
      )
    case 'array':
      return Array.isArray(value) ? value.map((item) => fitted(item, items ?? {}, root)) : []
    case 'integer':
    case 'number':
      return typeof value === 'number' ? value : 0
    case 'boolean':
      return value === true
    case 'string':
      return typeof value === 'string' ? value : ''
    default:
      return value ?? null
  }
}

function isLike(value: unknown, { type, properties }: Node): boolean {
  const types = [type ?? []].flat()
  if (value === null || value === undefined) return types.includes('null')
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'object')
    return types.includes('object') && Object.keys(value).every((key) => key in Object(properties))
  return types.includes(Number.isInteger(value) && types.includes('integer') ? 'integer' : typeof value)
}

function resolved(ref: string, root: JsonSchema): JsonSchema {
  const names = ref.split('/').slice(1)
  return names.reduce((node: unknown, name) => Object(node)[name], root) as JsonSchema
}

import type { JsonSchema } from '../../../src/model/schema.ts'

const KEYWORDS = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', '$ref', '$defs'],
  ...['description', 'title', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minItems', 'maxItems'],
])
const TYPES = new Set(['string', 'number', 'boolean', 'integer', 'object', 'array', 'null'])
const FORMATS = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid'])
const MAX_LEVELS = 10
const MAX_PROPERTIES = 5000
const MAX_ENUM_VALUES = 1000
const MAX_NAME_CHARACTERS = 120_000
/** An enum with more than `values` values may have at most `characters` characters in total. */
const LONG_ENUM = { values: 250, characters: 15_000 }

interface Node extends JsonSchema {
  anyOf?: Node[]
  enum?: unknown[]
  const?: unknown
  format?: string
  $defs?: Record<string, Node>
}
type Path = string[]

/** The first violation of the subset of JSON Schema that OpenAI publishes for structured outputs, in OpenAI's words. */
export function strictSchemaFault(schema: JsonSchema): string | undefined {
  const { type, anyOf } = schema as Node
  if (type !== 'object' || anyOf)
    return `schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(type ?? 'None')}'.`
  const totals = { properties: 0, enumValues: 0, characters: 0 }
  const fault = faultOf(schema as Node, [], 1)
  if (fault) return fault
  if (totals.properties > MAX_PROPERTIES)
    return `${totals.properties} object properties in total exceed the limit of ${MAX_PROPERTIES}.`
  if (totals.enumValues > MAX_ENUM_VALUES)
    return `${totals.enumValues} enum values in total exceed the limit of ${MAX_ENUM_VALUES}.`
  if (totals.characters > MAX_NAME_CHARACTERS)
    return `${totals.characters} characters of names and values exceed the limit of ${MAX_NAME_CHARACTERS}.`
  return undefined

  /** `level` counts the objects and arrays around a node, itself included. */
  function faultOf(node: Node, path: Path, level: number): string | undefined {
    const types = [node.type ?? []].flat()
    const isContainer = types.includes('object') || types.includes('array')
    if (isContainer && level > MAX_LEVELS) return at(path, `nesting exceeds ${MAX_LEVELS} levels.`)
    return (
      faultOfKeywords(node, path) ??
      faultOfValues(node, path) ??
      faultOfObject(node, types, path) ??
      (types.includes('array') && !node.items ? at(path, 'array schema missing items.') : undefined) ??
      first(childrenOf(node), ([steps, child]) => faultOf(child, [...path, ...steps], isContainer ? level + 1 : level))
    )
  }

  function faultOfValues(node: Node, path: Path): string | undefined {
    const { enum: values, $defs = {} } = node
    const constant = node.const
    const length = (all: unknown[]) => all.reduce<number>((sum, value) => sum + String(value).length, 0)
    totals.characters += length(Object.keys($defs)) + (constant === undefined ? 0 : length([constant]))
    if (!values) return undefined
    if (values.length === 0) return at(path, 'enum must have at least one value.')
    totals.enumValues += values.length
    totals.characters += length(values)
    if (values.length > LONG_ENUM.values && length(values) > LONG_ENUM.characters)
      return at(path, `enum of more than ${LONG_ENUM.values} values exceeds ${LONG_ENUM.characters} characters.`)
    return undefined
  }

  function faultOfObject(node: Node, types: string[], path: Path): string | undefined {
    if (!types.includes('object')) return undefined
    const names = Object.keys(node.properties ?? {})
    totals.properties += names.length
    totals.characters += names.reduce((sum, name) => sum + name.length, 0)
    if (node.additionalProperties !== false)
      return at(path, "'additionalProperties' is required to be supplied and to be false.")
    const required = node.required ?? []
    const missing = names.find((name) => !required.includes(name))
    if (missing !== undefined)
      return at(
        path,
        `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`,
      )
    const extra = required.find((name) => !names.includes(name))
    return extra === undefined ? undefined : at(path, `'required' present but has extra key '${extra}'.`)
  }
}

function faultOfKeywords(node: Node, path: Path): string | undefined {
  const unknown = Object.keys(node).find((keyword) => !KEYWORDS.has(keyword))
  if (unknown) return at(path, `'${unknown}' is not permitted.`)
  if (!node.type && !node.anyOf && !node.$ref) return at(path, "schema must have a 'type' key.")
  const type = [node.type ?? []].flat().find((one) => !TYPES.has(one))
  if (type) return at(path, `'${type}' is not a valid type.`)
  return node.format && !FORMATS.has(node.format) ? at(path, `'${node.format}' is not a valid format.`) : undefined
}

function childrenOf({ properties = {}, $defs = {}, anyOf = [], items }: Node): [Path, Node][] {
  return [
    ...Object.entries(properties).map(([name, child]): [Path, Node] => [['properties', name], child as Node]),
    ...(items ? [[['items'], items as Node] satisfies [Path, Node]] : []),
    ...anyOf.map((child, i): [Path, Node] => [['anyOf', String(i)], child]),
    ...Object.entries($defs).map(([name, child]): [Path, Node] => [['$defs', name], child]),
  ]
}

function first<T>(items: T[], faultOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const fault = faultOf(item)
    if (fault) return fault
  }
  return undefined
}

/** Prints the path like a Python tuple. */
function at(path: Path, fault: string): string {
  const names = path.map((name) => `'${name}'`).join(', ')
  return `In context=(${names}${path.length === 1 ? ',' : ''}), ${fault}`
}

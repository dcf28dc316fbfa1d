import type { JsonSchema } from '../../../src/model/schema.ts'
import { type Rule, refusal, strictSchemaOf } from './rule.ts'

const MAX_UNION_PARAMETERS = 16
const MAX_OPTIONAL_PARAMETERS = 24
const UNSUPPORTED = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'maxItems'],
  ...['uniqueItems', 'contains', 'oneOf', 'not', 'if', 'then', 'else', 'patternProperties', 'prefixItems'],
]

/**
 * Anthropic's OpenAI-compatible API: it compiles schemas to a grammar of limited size and ignores unknown parameters.
 */
export function anthropic({ maxGrammarCharacters = 24_000 } = {}): Rule[] {
  return [
    {
      refuse(request) {
        const schema = strictSchemaOf(request)
        const fault = schema && faultOf(schema, maxGrammarCharacters)
        return fault ? refusal(fault) : undefined
      },
    },
  ]
}

function faultOf(schema: JsonSchema, maxGrammarCharacters: number): string | undefined {
  const nodes = nodesIn(schema)
  for (const node of nodes) {
    const keyword = UNSUPPORTED.find((name) => name in node)
    const type = [node.type ?? []].flat()[0]
    if (keyword) return `output_config.format.schema: For '${type}' type, property '${keyword}' is not supported`
    if (type === 'object' && node.additionalProperties !== false)
      return "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false"
  }
  const unions = nodes.filter((node) => Array.isArray(node.type) || 'anyOf' in node).length
  if (unions > MAX_UNION_PARAMETERS)
    return `Schemas contains too many parameters with union types (${unions} parameters with type arrays or anyOf). This causes exponential compilation cost. Reduce the number of nullable or union-typed parameters (limit: ${MAX_UNION_PARAMETERS} parameters with unions).`
  const optional = nodes.reduce((sum, node) => sum + optionalIn(node), 0)
  if (optional > MAX_OPTIONAL_PARAMETERS)
    return `Schemas contains too many optional parameters (${optional}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: ${MAX_OPTIONAL_PARAMETERS}).`
  if (JSON.stringify(schema).length > maxGrammarCharacters)
    return 'output_config.format.schema: Invalid schema: The compiled grammar is too large, which would cause performance issues. Simplify your tool schemas or reduce the number of strict tools.'
  return undefined
}

function optionalIn({ properties = {}, required = [] }: JsonSchema): number {
  return Object.keys(properties).filter((name) => !required.includes(name)).length
}

/** A schema and all schemas inside it, as a list. */
export function nodesIn(schema: JsonSchema): JsonSchema[] {
  const {
    properties = {},
    items,
    anyOf = [],
    $defs = {},
  } = schema as JsonSchema & {
    anyOf?: JsonSchema[]
    $defs?: Record<string, JsonSchema>
  }
  const children = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...Object.values($defs)]
  return [schema, ...children.flatMap(nodesIn)]
}

import { readProjectFile } from './projectFiles.ts'

/** The contract, read from generated JSON: parsing the YAML would double the time to load the modules. */
export const contract: Contract = JSON.parse(readProjectFile('generated/contract.json').toString())

export interface Contract {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, object> }
  [section: string]: unknown
}

export interface Operation {
  operationId: string
  security?: Record<string, string[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean }
  responses: Record<string, object>
  'x-account'?: 'optional'
  /** The handler authenticates in the SQL statement that serves the request, which saves a query. */
  'x-authentication'?: 'deferred'
  /** The scope that an API token needs, if the method does not imply it; `none` if API tokens may not call it. */
  'x-token-scope'?: 'read' | 'write' | 'none'
  /** The timeout in seconds, if it is longer than the default. */
  'x-seconds'?: number
  /** The rate limit that applies, if the method does not imply it. */
  'x-cost'?: 'writes' | 'host' | 'generation'
  /** The handler reads the body itself while it arrives, to verify its signature first. */
  'x-raw-body'?: true
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: { default?: unknown }
}

/** The schemas of the query parameters of an operation, by name. */
export function declaredParameters(path: string, method: string): Record<string, object> {
  const parameters = (contract.paths[path]?.[method]?.parameters ?? []).map(resolved<Parameter>)
  return Object.fromEntries(
    parameters.filter((parameter) => parameter.in === 'query').map(({ name, schema }) => [name, inlined(schema)]),
  )
}

/** A schema whose own reference, and that of its items, are replaced by what they refer to. */
function inlined(schema: object): object {
  const { items, ...rest } = resolved(schema) as { items?: object }
  return items ? { ...rest, items: inlined(items) } : rest
}

/** Follows a reference to another part of the contract. A part that is no reference is returned as it is. */
function resolved<T extends object>(part: T | { $ref: string }): T {
  if (!('$ref' in part)) return part
  const [section = '', name = ''] = part.$ref.split('/').slice(-2)
  const definition = (contract.components as Record<string, Record<string, object>>)[section]?.[name]
  if (!definition) throw new Error(`The contract has no ${part.$ref}.`)
  return definition as T
}

import { readProjectFile } from './projectFiles.ts'

/** From generated JSON: parsing the YAML would double the time to load the modules. */
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
  /** The timeout, if longer than the default. */
  'x-seconds'?: number
  'x-unknown-query'?: 'refused'
  /** The rate limit that applies, if the method does not imply it. */
  'x-cost'?: 'writes' | 'host' | 'generation'
  /** The handler gets the body as it was sent, unparsed, to verify its signature first. */
  'x-raw-body'?: true
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: { default?: unknown }
}

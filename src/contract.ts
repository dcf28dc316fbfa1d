import { readFileSync } from 'node:fs'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

/** The contract as text. */
export const contractText = read('../openapi.yaml')
/** The contract as data, from generated JSON: parsing the YAML would double the time that the modules take to load. */
export const contract: Contract = JSON.parse(read('../generated/contract.json'))

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
  /** How long it may take to answer, where that is longer than usual. */
  'x-seconds'?: number
  /** What it is counted as, where that is not plain from its method. */
  'x-cost'?: 'host' | 'generation'
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: { default?: unknown }
}

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The contract as it is written, and as data. */
export const contractText = readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8')
export const contract: Contract = parse(contractText)

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

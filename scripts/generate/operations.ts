import type { Contract, Operation, Parameter } from '../../src/contract.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** The facts about each operation that routing, authentication and handler types need, as TypeScript. */
export function operationTable(contract: Contract): string {
  const rows = Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(
        ([method, operation]) =>
          `  ${operation.operationId}: ${JSON.stringify(row(contract, method, path, operation))},`,
      ),
  )
  return `export const operations = {\n${rows.join('\n')}\n} as const\n`
}

function row(contract: Contract, method: string, path: string, operation: Operation) {
  return {
    method: method.toUpperCase(),
    path,
    security: securityOf(operation),
    account: securityOf(operation) === 'bearer' ? (operation['x-account'] ?? 'required') : 'optional',
    body: operation.requestBody ? (operation.requestBody.required ? 'required' : 'optional') : 'none',
    queryDefaults: queryOf(contract, operation)
      .filter(({ schema }) => schema.default !== undefined)
      .map(({ name }) => name),
    cost: costOf(method, operation),
    tokenScope: operation['x-token-scope'] ?? (method === 'get' ? 'read' : 'write'),
    ...(operation['x-authentication'] && { authentication: operation['x-authentication'] }),
    queryNames: queryOf(contract, operation).map(({ name }) => name),
    ...(operation['x-seconds'] && { seconds: operation['x-seconds'] }),
    ...(operation['x-raw-body'] && { rawBody: true }),
    statuses: Object.keys(operation.responses).map(Number),
  }
}

function queryOf(contract: Contract, { parameters = [] }: Operation) {
  return parameters.map((parameter) => resolve(contract, parameter)).filter((parameter) => parameter.in === 'query')
}

/** The rate limit of an operation: `x-cost`, else none for operations without authentication (health checks). */
function costOf(method: string, operation: Operation) {
  if (operation['x-cost']) return operation['x-cost']
  if (operation.security?.length === 0) return 'none'
  return method === 'get' ? 'reads' : 'writes'
}

function securityOf({ security }: Operation): 'none' | 'optional' | 'bearer' {
  if (security === undefined) return 'bearer'
  if (security.length === 0) return 'none'
  return security.some((scheme) => Object.keys(scheme).length === 0) ? 'optional' : 'bearer'
}

function resolve({ components }: Contract, parameter: Parameter | { $ref: string }): Parameter {
  if (!('$ref' in parameter)) return parameter
  const name = parameter.$ref.replace('#/components/parameters/', '')
  const found = components.parameters[name]
  if (!found) throw new Error(`openapi.yaml has no parameter ${name}`)
  return found
}

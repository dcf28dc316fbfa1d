import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { operations } from '../../generated/operations.ts'
import { contract } from '../../src/contract.ts'
import type { OperationId } from '../../src/web/api/handler.ts'

// `validateSchema` is off because the contract's linter has already validated the schemas.
const ajv = addFormats
  .default(new Ajv2020({ strict: false, validateSchema: false, allErrors: true }))
  .addFormat('iso-639-1', /^[a-z]{2}$/)
  .addFormat('iso-639-1-or-all', /^([a-z]{2}|all)$/)
// Replaces Ajv's keywords, which count the code points of every text: too slow for megabytes of text.
replaceKeyword('maxLength', (max, text) => text.length <= max || [...text].length <= max)
replaceKeyword('minLength', (min, text) => text.length >= 2 * min || [...text].length >= min)
ajv.addSchema(contract, 'contract')

function replaceKeyword(keyword: string, validate: (limit: number, text: string) => boolean): void {
  ajv.removeKeyword(keyword)
  ajv.addKeyword({ keyword, type: 'string', schemaType: 'number', validate })
}

export const operationIds = Object.keys(operations) as OperationId[]

const routes = operationIds.map((operationId) => {
  const { method, path } = operations[operationId]
  return { operationId, method: method as string, pattern: new RegExp(`^${path.replace(/{\w+}/g, '[^/]+')}$`) }
})

export function operationAt(method: string, path: string): OperationId | undefined {
  const plain = path.split('?')[0] ?? ''
  return routes.find((route) => route.method === method && route.pattern.test(plain))?.operationId
}

export interface Received {
  status: number
  headers: Headers
  text: string
}

/** Checks the status, headers and body of every response in tests against the contract. */
export function expectConforming(method: string, path: string, received: Received): void {
  const faults = [...faultsOf(operationAt(method, path), received)]
  if (faults.length === 0) return
  const { status, text } = received
  throw new Error(`${method} ${path} → ${status} ${text.slice(0, 300)} breaks the contract: ${faults.join('; ')}`)
}

function* faultsOf(operationId: OperationId | undefined, { status, headers, text }: Received): Generator<string> {
  const requestId = headers.get('x-request-id') ?? ''
  if (operationId && !(operations[operationId].statuses as readonly number[]).includes(status))
    return yield 'the status'
  if (violations('#/components/schemas/RequestId', requestId).length > 0) yield 'X-Request-Id'
  if (status === 401 && !headers.get('www-authenticate')?.startsWith('Bearer ')) yield 'WWW-Authenticate'
  if ((status === 429 || status === 503) && !(Number(headers.get('retry-after')) > 0)) yield 'Retry-After'
  const response = operationId && responsePointer(operationId, status)
  if (response) yield* headerFaults(response, headers)
  const pointer = response ? bodyPointer(response) : FAILURE
  if (pointer === undefined) {
    if (text !== '') yield 'a body'
    return
  }
  if (headers.get('content-type') !== 'application/json; charset=utf-8') return yield 'Content-Type'
  const body = JSON.parse(text)
  if (status >= 400 && body.error?.requestId !== requestId) yield 'the request id'
  for (const violation of violations(pointer, body)) yield JSON.stringify(violation)
}

const FAILURE = '#/components/schemas/Failure'

interface DeclaredResponse {
  $ref?: string
  headers?: Record<string, { $ref?: string }>
  content?: object
}

/** JSON pointer to a declared response. */
function responsePointer(operationId: OperationId, status: number): string {
  const { method, path } = operations[operationId]
  const inline = `#/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`
  return (at(inline) as DeclaredResponse).$ref ?? inline
}

/** Names the declared headers whose values do not fit their schemas. */
function* headerFaults(response: string, headers: Headers): Generator<string> {
  for (const [name, { $ref }] of Object.entries((at(response) as DeclaredResponse).headers ?? {})) {
    const value = headers.get(name)
    if (value === null) continue
    const schema = `${$ref ?? `${response}/headers/${name}`}/schema`
    const fits = [value, Number(value)].some((text) => violations(schema, text).length === 0)
    if (!fits) yield `the header ${name}: ${value}`
  }
}

/** JSON pointer to the schema of the body; undefined if the response has none. */
function bodyPointer(response: string): string | undefined {
  return (at(response) as DeclaredResponse).content && `${response}/content/application~1json/schema`
}

function at(pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/'))
    .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], contract)
}

export function violations(pointer: string, value: unknown): unknown[] {
  const validate = ajv.getSchema(`contract${pointer}`)
  if (!validate) throw new Error(`The contract has no schema at ${pointer}`)
  return validate(value) ? [] : (validate.errors ?? [])
}

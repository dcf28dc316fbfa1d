import { expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { contract } from '../../src/contract.ts'
import { statusOf } from '../../src/errors.ts'
import { handlers } from '../../src/operations/index.ts'
import { readProjectFile } from '../../src/projectFiles.ts'
import { expectConforming, violations } from '../support/contract.ts'

interface Example {
  where: string
  schema: string
  value: unknown
}

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1')

/** Every example in the document with its schema. */
function* examples(node: unknown, pointer = '#'): Generator<Example> {
  if (node === null || typeof node !== 'object') return
  const { examples: shownExamples, schema } = node as {
    examples?: Record<string, { $ref?: string; value?: unknown }>
    schema?: object
  }
  if (schema && shownExamples)
    for (const [name, example] of Object.entries(shownExamples)) {
      const value = example.$ref ? shared(example.$ref) : example.value
      yield { where: `${pointer}/examples/${name}`, schema: `${pointer}/schema`, value }
    }
  for (const [key, child] of Object.entries(node))
    if (key !== 'examples') yield* examples(child, `${pointer}/${escaped(key)}`)
}

function shared(ref: string): unknown {
  const { examples: all } = contract.components as unknown as { examples: Record<string, { value: unknown }> }
  return all[ref.replace('#/components/examples/', '')]?.value
}

const found = [...examples(contract)]

test('every example matches its schema', () => {
  expect(found.length).toBeGreaterThan(40)
  const wrong = found.flatMap(({ where, schema, value }) =>
    violations(schema, value).map((issue) => ({ where, issue })),
  )
  expect(wrong).toEqual([])
})

test('every error example is declared under the HTTP status of its error code', () => {
  for (const [path, item] of Object.entries(contract.paths))
    for (const [method, { responses }] of Object.entries(item))
      for (const [status, response] of Object.entries(responses)) {
        const pointer = (response as { $ref?: string }).$ref ?? `#/paths/${escaped(path)}/${method}/responses/${status}`
        for (const { where, value } of found.filter((example) => example.where.startsWith(`${pointer}/content`))) {
          const code = (value as { error?: { code: keyof typeof statusOf } }).error?.code
          if (code) expect(`${where} ${statusOf[code]}`).toBe(`${where} ${status}`)
        }
      }
})

test('the description of the error codes lists the HTTP status of each code', () => {
  const { ErrorCode } = contract.components.schemas as unknown as { ErrorCode: { description: string } }
  const rows = ErrorCode.description.matchAll(/^\| ([A-Z_]+) \| (\d+) \| .+ \|$/gm)
  expect(Object.fromEntries([...rows].map(([, code, status]) => [code, Number(status)]))).toEqual(statusOf)
})

test('every example of FORBIDDEN has a reason', () => {
  const errors = found.map(({ value }) => (value as { error?: { code: string; details?: { reason?: string } } })?.error)
  const forbidden = errors.filter((error) => error?.code === 'FORBIDDEN')
  expect(forbidden.length).toBeGreaterThan(4)
  for (const error of forbidden) expect(error?.details?.reason).toBeDefined()
})

test('every operation has a handler, a summary, a description, a tag and its errors', () => {
  expect(Object.keys(handlers).sort()).toEqual(Object.keys(operations).sort())
  for (const item of Object.values(contract.paths))
    for (const operation of Object.values(item)) {
      const { operationId, summary, description, tags } = operation as unknown as Record<string, string>
      expect([operationId, !summary, !description, tags?.length]).toEqual([operationId, false, false, 1])
      const { security, statuses } = operations[operationId as keyof typeof operations]
      const needed = security === 'none' ? [500] : [401, 429, 500, 502, 503]
      expect(statuses, operationId).toEqual(expect.arrayContaining(needed))
    }
})

/** Returns the declaration of a response, also if the operation only refers to a shared one. */
function declaredResponse(response: object): { headers?: object } {
  const { responses } = contract.components as unknown as { responses: Record<string, object> }
  const { $ref } = response as { $ref?: string }
  return $ref === undefined ? response : (responses[$ref.replace('#/components/responses/', '')] ?? {})
}

test('every response declares its headers, and operations declare 304 if they accept If-None-Match', () => {
  for (const item of Object.values(contract.paths))
    for (const { operationId, parameters = [], responses } of Object.values(item)) {
      const isLimited = operations[operationId as keyof typeof operations].cost !== 'none'
      for (const [status, response] of Object.entries(responses)) {
        const headers = Object.keys(declaredResponse(response).headers ?? {})
        const limits = isLimited && status.startsWith('2') ? ['-Limit', '-Remaining', '-Reset', '-Policy', ''] : []
        const needed = ['X-Request-Id', ...limits.map((name) => `RateLimit${name}`)]
        expect(headers, `${operationId} ${status}`).toEqual(expect.arrayContaining(needed))
      }
      const isConditional = parameters.some((parameter) => /If-?None-?Match/.test(JSON.stringify(parameter)))
      expect([operationId, '304' in responses]).toEqual([operationId, isConditional])
    }
})

test('no request field has a default, because some generators turn such fields into required ones', () => {
  const schemas = Object.entries(contract.components.schemas).filter(([name]) => name.endsWith('Request'))
  expect(schemas.length).toBeGreaterThan(4)
  expect(schemas.filter(([, schema]) => JSON.stringify(schema).includes('"default":'))).toEqual([])
})

test('openapi.yaml names no code host', () => {
  expect(readProjectFile('openapi.yaml').toString()).not.toMatch(/git-?hub|git-?lab|bitbucket|gitea|codeberg/i)
})

test('the contract check of the tests rejects undeclared statuses, headers and bodies', () => {
  const requestId = '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a01'
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId })
  const alive = { success: true, data: { ok: true, version: '1', checks: {} }, message: 'Alive.' }
  const check = (status: number, body: object, method = 'GET') =>
    expectConforming(method, '/healthz', { status, headers, text: JSON.stringify(body) })
  expect(() => check(200, alive)).not.toThrow()
  expect(() => check(201, alive)).toThrow('the status')
  expect(() => check(200, { ...alive, data: {} })).toThrow('required')
  expect(() => check(405, alive, 'PUT')).toThrow('error')
  headers.set('retry-after', '86401')
  const text = JSON.stringify({
    success: false,
    error: { code: 'SERVICE_UNAVAILABLE', requestId },
    message: 'Not ready.',
  })
  const shed = () => expectConforming('GET', '/readyz', { status: 503, headers, text })
  expect(shed).toThrow('the header Retry-After: 86401')
  headers.set('retry-after', '86400')
  expect(shed).not.toThrow()
})

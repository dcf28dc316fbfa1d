import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { Exchange } from '../../../scripts/fakeHost/fakeHost.ts'
import { toJsonSchema, toJsonSchemas } from './jsonSchema.ts'

interface Reference {
  $ref: string
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: object
}

interface Operation {
  description: string
  parameters?: (Parameter | Reference)[]
  responses: Record<string, Reference | { content?: Record<string, { schema: object }> }>
}

interface Found {
  path: string
  operation: Operation
  /** The values of the parameters in the path. */
  values: Map<string, string>
}

const DESCRIPTION = '@octokit/openapi/generated/api.github.com.json'
const ID = 'host'
/** Any operation may return these statuses, although the description lists them for some operations only. */
const GENERAL_ERRORS = [301, 401, 403, 404]
const GENERAL_ERROR = { $ref: '#/components/schemas/basic-error' }
const DEFAULT_TYPES = ['*/*', 'application/json', 'application/vnd.github+json']
const API_VERSION = '2022-11-28'
/** Start of paths with the id of a repository. The code host redirects to them, but the description omits them. */
const BY_ID = /^\/repositories\/\d+/
const OWNER_AND_NAME = '/repos/owner/name'

/** Reads GitHub's description of its API, to compare requests and responses of a code host with it. */
export function readHostDescription() {
  const description = JSON.parse(readFileSync(createRequire(import.meta.url).resolve(DESCRIPTION), 'utf8'))
  const answers = addFormats.default(new Ajv({ strict: false, allErrors: true, logger: false }))
  answers.addSchema({ $id: ID, components: { schemas: toJsonSchemas(description.components.schemas, ID) } })
  const parameters = addFormats.default(new Ajv({ strict: false, logger: false, coerceTypes: true }))
  const compiled = new Map<object, ValidateFunction>()
  const routes = Object.entries(description.paths as Record<string, Record<string, Operation>>)
    .map(([path, operations]) => ({ path, operations, pattern: patternOf(path) }))
    // Paths with fewer parameters come first: `/user/repos` before `/user/{account_id}`.
    .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)

  function resolve<T>(node: T | Reference): T {
    if (typeof node !== 'object' || node === null || !('$ref' in node)) return node as T
    const steps = node.$ref.slice(2).split('/')
    return steps.reduce((inner, step) => inner[step], description)
  }

  function find({ method, url }: Exchange): Found | undefined {
    const pathname = url.pathname.replace(BY_ID, OWNER_AND_NAME)
    for (const { path, operations, pattern } of routes) {
      const match = pattern.exec(pathname)
      const operation = operations[method.toLowerCase()]
      if (match && operation) return { path, operation, values: new Map(Object.entries(match.groups ?? {})) }
    }
    return undefined
  }

  function* requestFaults({ url, accept, apiVersion }: Exchange, { operation, values }: Found): Generator<string> {
    const known = (operation.parameters ?? []).map((parameter) => resolve(parameter))
    for (const { name, in: place, required, schema } of known) {
      const value = place === 'path' ? values.get(name) : url.searchParams.get(name)
      const isValid = parameters.compile({ type: 'object', properties: { value: schema } })
      if (value === undefined || value === null) {
        if (required) yield `The parameter ${name} is missing.`
      } else if (!isValid({ value })) yield `The parameter ${name} has the value ${value}.`
    }
    const names = known.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    for (const name of url.searchParams.keys()) if (!names.includes(name)) yield `The parameter ${name} is unknown.`
    if (apiVersion !== API_VERSION) yield `The version is ${apiVersion}.`
    const type = mediaTypeOf(accept)
    if (!DEFAULT_TYPES.includes(type) && !operation.description.includes(`\`${type}`)) yield `Accept is ${type}.`
  }

  function* answerFaults({ accept, status, headers, text }: Exchange, { operation }: Found): Generator<string> {
    const described = operation.responses[status]
    if (!described && !GENERAL_ERRORS.includes(status)) return yield `The status ${status} is not described.`
    if (status === 200 && !DEFAULT_TYPES.includes(mediaTypeOf(accept))) return
    const { schema = undefined } = described
      ? (resolve(described).content?.['application/json'] ?? {})
      : { schema: GENERAL_ERROR }
    if (!schema) {
      if (text !== '') yield `The status ${status} has a body.`
      return
    }
    if (!headers['content-type']?.startsWith('application/json')) return yield 'The content type is not JSON.'
    const validate = compiled.get(schema) ?? answers.compile(toJsonSchema(schema, ID) as object)
    compiled.set(schema, validate)
    if (validate(JSON.parse(text))) return
    for (const { instancePath, message, params } of validate.errors ?? [])
      yield `${instancePath} ${message} ${JSON.stringify(params)}`
  }

  return {
    /** Names the operation, for example `GET /repos/{owner}/{repo}`. Undefined if the description does not have it. */
    operationOf(exchange: Exchange): string | undefined {
      const found = find(exchange)
      return found && `${exchange.method} ${found.path}`
    },
    faultsOf(exchange: Exchange): string[] {
      const found = find(exchange)
      return found ? [...requestFaults(exchange, found), ...answerFaults(exchange, found)] : ['It is not described.']
    },
  }
}

/** A pattern for paths of an operation. Only the parameter `{path}`, of a file, can have several segments. */
function patternOf(path: string): RegExp {
  const pattern = path
    .replace(/[.+]/g, '\\$&')
    .replaceAll('{path}', '(?<path>.+)')
    .replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return new RegExp(`^${pattern}$`)
}

function mediaTypeOf(accept = '*/*'): string {
  return accept.replace(/\.(?=json$)/, '+')
}

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import type {
  FastifySchemaValidationError,
  FastifySerializerCompiler,
  FastifyValidationResult,
} from 'fastify/types/schema.js'
import { isWholeNumber } from '../../lib/wholeNumber.ts'

/** `validateSchema`: the contract's linter has validated the schemas. */
const options = {
  ...{ strict: false, validateSchema: false },
  ...{ allErrors: true, removeAdditional: false, useDefaults: true },
} as const
const strictAjv = addFormats.default(new Ajv2020(options))
const coercingAjv = addFormats.default(new Ajv2020({ ...options, coerceTypes: true }))

const compileBody = onFirstUse((schema) => returningErrors(strictAjv.compile(schema)))
const compileParameters = onFirstUse(compileCoercing)
const compileResponseOnce = onFirstUse((schema) => fastJsonStringify(schema))

/** Parameters are text, so canonical numbers are converted. In bodies, nothing is converted and no field is dropped. */
export const compileRequest: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? compileBody : compileParameters)(schema)

export const compileResponse: FastifySerializerCompiler<FastifySchema> = ({ schema }) => compileResponseOnce(schema)

/** What is wrong with a body: nothing is converted, and unknown fields are not dropped. */
export function bodyErrors(schema: object, body: unknown): FastifySchemaValidationError[] {
  const outcome = compileBody(schema)(body) as true | { error: FastifySchemaValidationError[] }
  return outcome === true ? [] : outcome.error
}

interface ObjectSchema {
  properties?: Record<string, { type?: unknown }>
}

/** Ajv alone would also accept `1e3`, `0x1`, ` 1` and `01` as numbers. */
function compileCoercing(schema: ObjectSchema): FastifyValidationResult {
  const validate = returningErrors(coercingAjv.compile(schema))
  const numbers = Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
    type === 'integer' ? name : [],
  )
  return (data) => {
    const error = numbers.filter((name) => isText(data[name]) && !isWholeNumber(data[name])).map(notWhole)
    if (error.length > 0) return { error }
    return validate(data)
  }
}

function returningErrors(validate: ValidateFunction): FastifyValidationResult {
  return (data) => validate(data) || { error: (validate.errors ?? []) as FastifySchemaValidationError[] }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function notWhole(name: string): FastifySchemaValidationError {
  const message = 'must be a whole number in decimal digits'
  return { keyword: 'type', instancePath: `/${name}`, schemaPath: '', params: {}, message }
}

/** Compiling all schemas would take most of the start-up time. Operations share many, above all those of errors. */
function onFirstUse<Use extends (...input: never[]) => unknown>(compile: (schema: object) => Use) {
  const compiled = new Map<string, Use>()
  function compileOnce(schema: object): Use {
    const text = JSON.stringify(schema)
    const use = compiled.get(text) ?? compile(schema)
    compiled.set(text, use)
    return use
  }
  return (schema: object): Use => {
    let use: Use | undefined
    return ((...input) => {
      use ??= compileOnce(schema)
      return use(...input)
    }) as Use
  }
}

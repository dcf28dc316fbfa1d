import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import type {
  FastifySchemaValidationError,
  FastifySerializerCompiler,
  FastifyValidationResult,
} from 'fastify/types/schema.js'
import { isWholeNumber } from '../lib/wholeNumber.ts'

const options = { strict: false, allErrors: true, removeAdditional: false, useDefaults: true } as const
const strictAjv = addFormats.default(new Ajv2020(options))
const coercingAjv = addFormats.default(new Ajv2020({ ...options, coerceTypes: true }))

const compileBody = memoize((schema) => strictAjv.compile(schema))
const compileParameters = memoize(compileCoercing)
const compileResponseOnce = memoize((schema) => fastJsonStringify(schema))

/** Parameters are text, so canonical numbers are converted. In bodies, nothing is converted and no field is dropped. */
export const compileRequest: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? compileBody : compileParameters)(schema)

export const compileResponse: FastifySerializerCompiler<FastifySchema> = ({ schema }) => compileResponseOnce(schema)

interface ObjectSchema {
  properties?: Record<string, { type?: unknown }>
}

/** Ajv alone would also accept `1e3`, `0x1`, ` 1` and `01` as numbers. */
function compileCoercing(schema: ObjectSchema): FastifyValidationResult {
  const validate = coercingAjv.compile<Record<string, unknown>>(schema)
  const numbers = Object.entries(schema.properties ?? {}).flatMap(([name, { type }]) =>
    type === 'integer' ? name : [],
  )
  return (data) => {
    const error = numbers.filter((name) => isText(data[name]) && !isWholeNumber(data[name])).map(notWhole)
    if (error.length > 0) return { error }
    return validate(data) || { error: (validate.errors ?? []) as FastifySchemaValidationError[] }
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function notWhole(name: string): FastifySchemaValidationError {
  const message = 'must be a whole number in decimal digits'
  return { keyword: 'type', instancePath: `/${name}`, schemaPath: '', params: {}, message }
}

/** Operations share most schemas, above all those of errors, and compiling them takes most of the start-up time. */
function memoize<T>(compile: (schema: object) => T): (schema: object) => T {
  const compiled = new Map<string, T>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const known = compiled.get(text) ?? compile(schema)
    compiled.set(text, known)
    return known
  }
}

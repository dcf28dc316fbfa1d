import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import type {
  FastifySchemaValidationError,
  FastifySerializerCompiler,
  FastifyValidationResult,
} from 'fastify/types/schema.js'
import { isLanguageCode } from '../../lib/languageCode.ts'
import { isWholeNumber } from '../../lib/wholeNumber.ts'

/** `validateSchema` is off because the contract's linter has already validated the schemas. */
const options = {
  ...{ strict: false, validateSchema: false },
  ...{ allErrors: true, removeAdditional: false, useDefaults: true },
} as const
const strictAjv = withFormats(new Ajv2020(options))
const coercingAjv = withFormats(new Ajv2020({ ...options, coerceTypes: 'array' }))

const compileBody = onFirstUse((schema) => returningErrors(strictAjv.compile(schema)))
const compileParameters = onFirstUse(compileCoercing)
const compileResponseOnce = onFirstUse((schema) => fastJsonStringify(schema))

/** Converts canonical numbers in parameters, which are text. In bodies, converts nothing and drops no field. */
export const compileRequest: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? compileBody : compileParameters)(schema)

export const compileResponse: FastifySerializerCompiler<FastifySchema> = ({ schema }) => compileResponseOnce(schema)

/** The validation errors of a body. Nothing in it is converted, and unknown fields are not dropped. */
export function bodyErrors(schema: object, body: unknown): FastifySchemaValidationError[] {
  const outcome = compileBody(schema)(body) as true | { error: FastifySchemaValidationError[] }
  return outcome === true ? [] : outcome.error
}

function withFormats(ajv: Ajv2020): Ajv2020 {
  return addFormats
    .default(ajv)
    .addFormat('iso-639-1', isLanguageCode)
    .addFormat('iso-639-1-or-all', (text: string) => text === 'all' || isLanguageCode(text))
}

interface ObjectSchema {
  properties?: Record<string, { type?: unknown }>
}

/** Compiles a schema of parameters. Ajv alone would also accept `1e3`, `0x1`, ` 1` and `01` as numbers. */
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

/**
 * Compiles a schema when it is first used: compiling all at the start would take most of the start-up time. Equal
 * schemas are compiled once, because operations share many, above all those of errors.
 */
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

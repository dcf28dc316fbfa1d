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
const strictly = addFormats.default(new Ajv2020(options))
const fromText = addFormats.default(new Ajv2020({ ...options, coerceTypes: true }))

const body = onceEach((schema) => strictly.compile(schema))
const others = onceEach(compileFromText)
const answer = onceEach((schema) => fastJsonStringify(schema))

/** Text in an address may stand for a number, if it is one in canonical form; in a body nothing is taken for anything else, and nothing is dropped. */
export const compileRequest: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? body : others)(schema)

export const compileAnswer: FastifySerializerCompiler<FastifySchema> = ({ schema }) => answer(schema)

interface ObjectSchema {
  properties?: Record<string, { type?: unknown }>
}

/** Ajv alone would take `1e3`, `0x1`, ` 1` and `01` for numbers, too. */
function compileFromText(schema: ObjectSchema): FastifyValidationResult {
  const validate = fromText.compile<Record<string, unknown>>(schema)
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

/** Operations share most of their schemas, failures above all, and compiling is most of what a start takes. */
function onceEach<T>(compile: (schema: object) => T): (schema: object) => T {
  const compiled = new Map<string, T>()
  return (schema) => {
    const text = JSON.stringify(schema)
    const known = compiled.get(text) ?? compile(schema)
    compiled.set(text, known)
    return known
  }
}

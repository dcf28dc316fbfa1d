import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fastJsonStringify from 'fast-json-stringify'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'

const options = { strict: false, allErrors: true, removeAdditional: false, useDefaults: true } as const
const strictly = addFormats.default(new Ajv2020(options))
const fromText = addFormats.default(new Ajv2020({ ...options, coerceTypes: true }))

const body = onceEach((schema) => strictly.compile(schema))
const others = onceEach((schema) => fromText.compile(schema))
const answer = onceEach((schema) => fastJsonStringify(schema))

/** Text in an address may stand for a number; in a body nothing is taken for anything else, and nothing is dropped. */
export const compileRequest: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? body : others)(schema)

export const compileAnswer: FastifySerializerCompiler<FastifySchema> = ({ schema }) => answer(schema)

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

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { FastifySchema, FastifySchemaCompiler } from 'fastify'

const options = { strict: false, allErrors: true, removeAdditional: false, useDefaults: true } as const

/** Text in an address may stand for a number; in a body nothing is taken for anything else, and nothing is dropped. */
export function requestValidator(): FastifySchemaCompiler<FastifySchema> {
  const strictly = addFormats.default(new Ajv2020({ ...options }))
  const fromText = addFormats.default(new Ajv2020({ ...options, coerceTypes: true }))
  return ({ schema, httpPart }) => (httpPart === 'body' ? strictly : fromText).compile(schema)
}

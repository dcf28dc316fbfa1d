import { expect, test } from 'vitest'
import type { JsonSchema } from '../../src/model/schema.ts'
import { strictSchemaFault } from '../support/modelServers/strictSchema.ts'

const string = { type: 'string' }
const closed = (properties: Record<string, JsonSchema>, more: object = {}): JsonSchema => ({
  ...{ type: 'object', properties, required: Object.keys(properties), additionalProperties: false },
  ...more,
})
const nested = (levels: number): JsonSchema =>
  levels === 1 ? closed({ a: string }) : closed({ a: nested(levels - 1) })
const listOf = (levels: number): JsonSchema => (levels === 0 ? string : { type: 'array', items: listOf(levels - 1) })
const many = (count: number, schema: (i: number) => JsonSchema = () => string) =>
  closed(Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, schema(i)])))
const values = (count: number, length: number) => Array.from({ length: count }, (_, i) => `${i}`.padStart(length, 'x'))

const accepted: Record<string, JsonSchema> = {
  'an empty object': closed({}),
  'all types': closed({
    a: string,
    b: { type: ['integer', 'null'], minimum: 1, maximum: 5 },
    c: { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3 },
    d: { anyOf: [closed({ kind: { type: 'string', const: 'x' } }), { type: 'null' }] },
    e: { type: 'string', enum: ['x', 'y'], description: 'One of two.' },
    f: { type: 'string', format: 'date-time' },
    g: { type: 'number', multipleOf: 0.5, exclusiveMinimum: 0 },
  }),
  'a recursive definition': closed(
    { root: { $ref: '#/$defs/node' } },
    { $defs: { node: closed({ children: { type: 'array', items: { $ref: '#/$defs/node' } } }) } },
  ),
  'ten levels': nested(10),
  'ten levels of arrays and objects': closed({ a: listOf(9) }),
  '5,000 properties': many(5000),
  '1,000 enum values': many(4, () => ({ type: 'string', enum: values(250, 8) })),
}

test.each(Object.entries(accepted))('the check of strict schemas accepts %s', (_, schema) => {
  expect(strictSchemaFault(schema)).toBeUndefined()
})

const refused: Record<string, [JsonSchema, fault: string | RegExp]> = {
  'an array as the root': [{ type: 'array', items: string }, /got 'type: "array"'/],
  'anyOf at the root': [closed({}, { anyOf: [closed({})] }), /must be a JSON Schema of 'type: "object"'/],
  'an empty schema': [closed({ basis: {} }), "In context=('properties', 'basis'), schema must have a 'type' key."],
  'an enum without a type': [closed({ a: { enum: ['x'] } }), /schema must have a 'type' key/],
  'an unknown type': [closed({ a: { type: 'date' } }), /'date' is not a valid type/],
  'an open object': [
    { ...closed({}), additionalProperties: true },
    "In context=(), 'additionalProperties' is required to be supplied and to be false.",
  ],
  'an open object in a list': [
    closed({ a: { type: 'array', items: { type: 'object', properties: {} } } }),
    /^In context=\('properties', 'a', 'items'\), 'additionalProperties'/,
  ],
  'an optional property': [{ ...closed({ a: string, b: string }), required: ['a'] }, /Missing 'b'\.$/],
  'an unknown required property': [{ ...closed({}), required: ['a'] }, /extra key 'a'/],
  'a list without items': [closed({ a: { type: 'array' } }), /array schema missing items/],
  'a fault inside anyOf': [closed({ a: { anyOf: [{ type: 'null' }, {}] } }), /'anyOf', '1'\), schema must have/],
  'a fault inside a definition': [closed({}, { $defs: { node: {} } }), /'\$defs', 'node'\), schema must have/],
  'an unknown format': [closed({ a: { type: 'string', format: 'uri' } }), /'uri' is not a valid format/],
  'an empty enum': [closed({ a: { type: 'string', enum: [] } }), /at least one value/],
  'eleven levels': [nested(11), /nesting exceeds 10 levels/],
  'eleven levels of arrays and objects': [closed({ a: listOf(10) }), /nesting exceeds 10 levels/],
  '5,001 properties': [many(5001), /5001 object properties/],
  '1,001 enum values': [many(7, () => ({ type: 'string', enum: values(143, 8) })), /1001 enum values/],
  'a long enum': [closed({ a: { type: 'string', enum: values(251, 60) } }), /exceeds 15000 characters/],
  'long names': [closed({ ['a'.repeat(120_001)]: string }), /120001 characters/],
  ...Object.fromEntries(
    ['allOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentRequired', 'minLength', 'maxLength', 'uniqueItems'].map(
      (keyword) => [
        keyword,
        [closed({ a: { ...string, [keyword]: {} } }), new RegExp(`'${keyword}' is not permitted`)],
      ],
    ),
  ),
}

test.each(Object.entries(refused))('the check of strict schemas refuses %s', (_, [schema, fault]) => {
  expect(strictSchemaFault(schema)).toMatch(fault)
})

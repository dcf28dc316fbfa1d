import { expect, test } from 'vitest'
import type { JsonSchema } from '../../src/model/schema.ts'
import { draftSchema, notesSchema, repairSchema, translationSchema } from '../../src/writer/prompts/answerSchemas.ts'
import { anthropic, nodesIn } from '../support/modelServers/anthropic.ts'
import { strictSchemaFault } from '../support/modelServers/strictSchema.ts'

/** The keywords that every server with strict schemas knows. */
const KEYWORDS = new Set([
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'const', 'anyOf', 'description'],
  ...['$ref', '$defs'],
])
const MAX_OBJECT_LEVELS = 5
const MAX_UNIONS = 15
/** Anthropic's rule for property names, the strictest that a server publishes. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/

const parts = Object.keys(draftSchema.properties ?? {})

function subsetsOf(names: string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_, i) => bits & (1 << i)))
}

/** The keys that a translation of the longest possible article has, by part. An article may lack any of these parts. */
const TRANSLATED = {
  title: ['title'],
  lead: ['lead'],
  impact: ['impact_affected', 'impact_reason'],
  action: ['impact_action'],
  reasons: ['reason1', 'reason2', 'reason3'],
  background: ['background'],
  sections: numbered('section', 7, ['heading', 'text', 'figure1_caption', 'figure2_note', 'figure3_row9_cell4']),
  diagram: ['diagram_caption', ...numbered('diagram_node', 12, ['']), ...numbered('diagram_edge', 16, [''])],
  points: [...numbered('point', 7, ['']), ...numbered('mismatch', 5, [''])],
  terms: [...numbered('term', 6, ['']), ...numbered('term', 6, ['meaning'])],
}

function numbered(name: string, count: number, parts: string[]): string[] {
  return Array.from({ length: count }, (_, i) => parts.map((part) => `${name}${i + 1}${part && `_${part}`}`)).flat()
}

const schemas: Record<string, JsonSchema[]> = {
  'of a draft': [draftSchema],
  'of notes': [notesSchema],
  'of every repair': subsetsOf(parts).map(repairSchema),
  'of every translation': subsetsOf(Object.keys(TRANSLATED)).map((names) =>
    translationSchema(names.flatMap((name) => TRANSLATED[name as keyof typeof TRANSLATED])),
  ),
}

/** How deep objects are nested in objects; lists do not count. */
function objectLevels({ type, properties = {}, items, anyOf = [], $defs = {} }: JsonSchema): number {
  const children = [...Object.values(properties), ...(items ? [items] : []), ...anyOf, ...Object.values(Object($defs))]
  const inside = Math.max(0, ...children.map((child) => objectLevels(child as JsonSchema)))
  return [type].flat().includes('object') ? inside + 1 : inside
}

function faultsOf(schema: JsonSchema): string[] {
  const nodes = nodesIn(schema)
  const strict = strictSchemaFault(schema)
  const grammar = anthropic()[0]?.refuse?.(requestWith(schema), undefined as never)
  const unions = nodes.filter(({ type, anyOf }) => Array.isArray(type) || anyOf).length
  const keywords = nodes.flatMap((node) => Object.keys(node)).filter((keyword) => !KEYWORDS.has(keyword))
  const names = nodes.flatMap(({ properties = {} }) => Object.keys(properties))
  return [
    ...(strict ? [strict] : []),
    ...(grammar ? [JSON.stringify(grammar.body)] : []),
    ...(objectLevels(schema) > MAX_OBJECT_LEVELS ? [`${objectLevels(schema)} levels of objects`] : []),
    ...(unions > MAX_UNIONS ? [`${unions} parameters with union types`] : []),
    ...keywords.map((keyword) => `the keyword ${keyword}`),
    ...names.filter((name) => !PROPERTY_NAME.test(name)).map((name) => `the name ${name}`),
  ]
}

function requestWith(schema: JsonSchema) {
  const json_schema = { strict: true, schema: { ...schema, properties: schema.properties ?? {} } }
  return { model: 'x', messages: [], response_format: { type: 'json_schema', json_schema } }
}

test.each(Object.entries(schemas))('the schema %s uses only what all servers accept', (_, walked) => {
  expect(walked.length).toBeGreaterThan(0)
  expect([...new Set(walked.flatMap(faultsOf))]).toEqual([])
})

test('the schema check covers all subsets of the nine parts of a draft', () => {
  expect(parts).toHaveLength(9)
  expect(schemas['of every repair']).toHaveLength(512)
})

const faulty: Record<string, [JsonSchema, fault: string | RegExp]> = {
  'a node without a type': [closed({ a: {} }), /must have a 'type' key/],
  'a branch without a type': [closed({ a: { anyOf: [{ enum: ['x'] }, { type: 'null' }] } }), /must have a 'type' key/],
  'an open object': [{ ...closed({}), additionalProperties: true }, /'additionalProperties' is required/],
  'an optional property': [{ ...closed({ a: { type: 'string' } }), required: [] }, /Missing 'a'/],
  'six levels': [nested(6), '6 levels of objects'],
  '16 unions': [
    closed(Object.fromEntries(numbered('p', 16, ['']).map((name) => [name, { type: ['string', 'null'] }]))),
    '16 parameters with union types',
  ],
  'another keyword': [closed({ a: { type: 'string', pattern: '^x' } }), 'the keyword pattern'],
}

function closed(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function nested(levels: number): JsonSchema {
  return closed(levels === 1 ? {} : { a: nested(levels - 1) })
}

test.each(Object.entries(faulty))('the schema check finds %s', (_, [schema, fault]) => {
  expect(faultsOf(schema)).toContainEqual(expect.stringMatching(fault))
})

import { contract } from '../../contract.ts'
import { type JsonSchema, mapped } from '../../model/schema.ts'
import type { Notes } from './answerTypes.ts'

const content = resolved({ $ref: '#/components/schemas/ArticleContent' })
const claims = {
  mainChanges: claimList('mainChanges', ['fileName', 'changeTypes', 'description']),
  notablePoints: claimList('notablePoints', ['categories', 'point']),
}

export const draftSchema = answerSchema({
  aiGeneratedTitle: propertyOf(content, 'aiGeneratedTitle'),
  backgroundAndPurpose: propertyOf(content, 'backgroundAndPurpose'),
  ...claims,
})

/** Notes on a part may be empty. */
export const notesSchema = answerSchema({ ...claims, mainChanges: { ...claims.mainChanges, minItems: 0 } })

/** Exactly as many texts as the article has, and nothing else. */
export function translationSchema({ mainChanges, notablePoints }: Notes): JsonSchema {
  return answerSchema({
    aiGeneratedTitle: propertyOf(content, 'aiGeneratedTitle'),
    backgroundAndPurpose: propertyOf(content, 'backgroundAndPurpose'),
    mainChanges: exactly(mainChanges.length, only(['description'], claims.mainChanges)),
    notablePoints: exactly(notablePoints.length, only(['point'], claims.notablePoints)),
  })
}

function answerSchema(properties: Record<string, JsonSchema>): JsonSchema {
  return closed({ type: 'object', properties })
}

/** Resolves the references in a schema of the contract. */
function resolved(schema: JsonSchema): JsonSchema {
  if (schema.$ref) {
    const name = schema.$ref.replace('#/components/schemas/', '')
    const target = contract.components.schemas[name]
    if (!target) throw new Error(`openapi.yaml has no schema ${name}`)
    return resolved(target as JsonSchema)
  }
  return {
    ...schema,
    ...(schema.items && { items: resolved(schema.items) }),
    ...(schema.properties && { properties: mapped(schema.properties, resolved) }),
  }
}

/** Makes all properties required and forbids others, as servers with strict schemas demand. */
function closed(schema: JsonSchema): JsonSchema {
  return {
    ...schema,
    ...(schema.items && { items: closed(schema.items) }),
    ...(schema.properties && {
      properties: mapped(schema.properties, closed),
      required: Object.keys(schema.properties),
      additionalProperties: false,
    }),
  }
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema {
  const property = schema.properties?.[name]
  if (!property) throw new Error(`openapi.yaml has no property ${name} where one is expected`)
  return property
}

/** Claims as the model answers them: without what the program adds. */
function claimList(name: string, fields: string[]): JsonSchema {
  const list = propertyOf(content, name)
  const evidence = propertyOf(list.items ?? {}, 'evidence')
  const { url: _, lines: __, linesOmitted: ___, ...citation } = evidence.items?.properties ?? {}
  const cited = { ...evidence, items: { ...evidence.items, properties: citation } }
  const claim = only(fields, list).items ?? {}
  return { ...list, items: { ...claim, properties: { ...claim.properties, evidence: cited } } }
}

function only(names: string[], list: JsonSchema): JsonSchema {
  const item = list.items ?? {}
  const properties = Object.fromEntries(names.map((name) => [name, propertyOf(item, name)]))
  return { ...list, items: { ...item, properties } }
}

function exactly(length: number, list: JsonSchema): JsonSchema {
  return { ...list, minItems: length, maxItems: length }
}

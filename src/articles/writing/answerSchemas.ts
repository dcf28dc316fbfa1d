import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { contract } from '../../contract.ts'
import { type JsonSchema, mapped } from '../../model/schema.ts'
import type { Draft, DraftChange, DraftPoint } from '../draft.ts'

/** What a model is asked to answer: a schema, and the same compiled, to hold its answer against. */
export interface AnswerSchema<T> {
  schema: JsonSchema
  validate: ValidateFunction<T>
}

export type Notes = Pick<Draft, 'mainChanges' | 'notablePoints'>
export type Translation = Pick<Draft, 'aiGeneratedTitle' | 'backgroundAndPurpose'> & {
  mainChanges: Pick<DraftChange, 'description'>[]
  notablePoints: Pick<DraftPoint, 'point'>[]
}

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }))
const content = resolved({ $ref: '#/components/schemas/ArticleContent' })
const claims = {
  mainChanges: withoutUrl(propertyOf(content, 'mainChanges')),
  notablePoints: withoutUrl(propertyOf(content, 'notablePoints')),
}

export const draftSchema = answerSchema<Draft>({
  aiGeneratedTitle: propertyOf(content, 'aiGeneratedTitle'),
  backgroundAndPurpose: propertyOf(content, 'backgroundAndPurpose'),
  ...claims,
})

/** What is noted of a part may be nothing. */
export const notesSchema = answerSchema<Notes>({ ...claims, mainChanges: { ...claims.mainChanges, minItems: 0 } })

/** As many texts as there are to translate, and nothing else. */
export function translationSchema({ mainChanges, notablePoints }: Notes): AnswerSchema<Translation> {
  const lengths = `${mainChanges.length} ${notablePoints.length}`
  const schema = translationSchemas.get(lengths) ?? newTranslationSchema(mainChanges.length, notablePoints.length)
  translationSchemas.set(lengths, schema)
  return schema
}

const translationSchemas = new Map<string, AnswerSchema<Translation>>()

function newTranslationSchema(changes: number, points: number): AnswerSchema<Translation> {
  return answerSchema<Translation>({
    aiGeneratedTitle: propertyOf(content, 'aiGeneratedTitle'),
    backgroundAndPurpose: propertyOf(content, 'backgroundAndPurpose'),
    mainChanges: exactly(changes, only('description', claims.mainChanges)),
    notablePoints: exactly(points, only('point', claims.notablePoints)),
  })
}

function answerSchema<T>(properties: Record<string, JsonSchema>): AnswerSchema<T> {
  const schema = closed({ type: 'object', properties })
  return { schema, validate: ajv.compile<T>(schema) }
}

/** The contract's own schema with its references filled in. */
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

/** Every property required and none but those, as servers want it that hold a model to a schema. */
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

function withoutUrl(claimList: JsonSchema): JsonSchema {
  const claim = claimList.items ?? {}
  const evidence = propertyOf(claim, 'evidence')
  const { url: _, ...citation } = evidence.items?.properties ?? {}
  const cited = { ...evidence, items: { ...evidence.items, properties: citation } }
  return { ...claimList, items: { ...claim, properties: { ...claim.properties, evidence: cited } } }
}

function only(name: string, list: JsonSchema): JsonSchema {
  const item = list.items ?? {}
  return { ...list, items: { ...item, properties: { [name]: propertyOf(item, name) } } }
}

function exactly(length: number, list: JsonSchema): JsonSchema {
  return { ...list, minItems: length, maxItems: length }
}

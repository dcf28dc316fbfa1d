import { contract } from '../../contract.ts'
import { type JsonSchema, mapped } from '../../model/schema.ts'
import { ANSWERED_BEHAVIOR, type AnsweredDraft } from './answerTypes.ts'

/** Fields that the program adds, so the model is not asked for them. */
const PROGRAM_FIELDS = ['url', 'lines', 'linesOmitted']
/**
 * Fields in which the model must not answer null. The contract allows null for texts written before these fields
 * existed, and for citations of whole files, in which the model answers 0. Servers with strict schemas accept few
 * parameters that may be null.
 */
const NEVER_NULL = ['lead', 'impact', 'heading', 'basis', 'importance', 'startLine', 'endLine']
const WEIGHT: JsonSchema = { type: 'integer', enum: [1, 2, 3, 4, 5] }

const content = answered('ArticleContent')

const draftFields = only(content, [
  'aiGeneratedTitle',
  'lead',
  'impact',
  'reasons',
  'mainChanges',
  'diagram',
  'notablePoints',
  'mismatches',
  'terms',
] satisfies (keyof AnsweredDraft)[])

export const draftSchema = object(draftFields)

export const notesSchema = object({
  mainChanges: list({
    ...itemFields('mainChanges', ['fileName', 'changeTypes', 'description', 'evidence']),
    weight: WEIGHT,
  }),
  notablePoints: list({ ...itemFields('notablePoints', ['categories', 'point', 'evidence']), weight: WEIGHT }),
})

/** The schema of a repair, which contains only these parts of a draft. */
export function repairSchema(parts: string[]): JsonSchema {
  return object(Object.fromEntries(Object.entries(draftFields).filter(([name]) => parts.includes(name))))
}

export function translationSchema(keys: string[]): JsonSchema {
  return object(Object.fromEntries(keys.map((key) => [key, { type: 'string' }])))
}

/**
 * Adapts a schema of the contract to answers of the model. Leaves out bounds and descriptions: the checks of the
 * program tell which item exceeds a bound, so that only that item is asked for again.
 */
function answered(name: string): JsonSchema {
  const schema = contract.components.schemas[name]
  if (!schema) throw new Error(`openapi.yaml has no schema ${name}`)
  return plain(schema as JsonSchema)
}

function plain(schema: JsonSchema): JsonSchema {
  if (schema.$ref) return answered(schema.$ref.replace('#/components/schemas/', ''))
  const { type, items, properties, enum: values, anyOf, oneOf } = schema
  // The contract uses `anyOf` only to make a named schema nullable, and `oneOf` only for figures.
  if (anyOf) return nullable(plain(anyOf.find((one) => one.type !== 'null') ?? {}))
  if (oneOf) return figureSchema()
  if (properties) return { ...object(mapped(fieldsOf(properties), plainField)), ...(type && { type }) }
  return {
    ...(type && { type }),
    ...(values && { enum: values.map(answeredValue) }),
    ...(items && { items: plain(items) }),
  }
}

function answeredValue<T>(value: T): T | string {
  return value === 'behavior' ? ANSWERED_BEHAVIOR : value
}

function nullable(schema: JsonSchema): JsonSchema {
  return { ...schema, type: [schema.type ?? 'object', 'null'].flat() }
}

/**
 * A figure of any kind as one object, because not all servers accept alternatives. The properties of code are not
 * nested, because some servers accept only five levels.
 */
function figureSchema(): JsonSchema {
  const [code, example, table] = ['CodeFigure', 'ExampleFigure', 'TableFigure'].map((name) => {
    const { kind: _, ...properties } = answered(name).properties ?? {}
    return properties
  })
  const { codeLanguage: language = {}, ...rest } = example ?? {}
  return object({
    kind: { type: 'string', enum: ['code', 'example', 'table'] },
    example: nullable(object({ language, ...rest })),
    table: nullable(object(table ?? {})),
    ...code,
  })
}

function fieldsOf(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !PROGRAM_FIELDS.includes(name)))
}

function plainField(schema: JsonSchema, name: string): JsonSchema {
  const field = plain(schema)
  if (!NEVER_NULL.includes(name) || !Array.isArray(field.type)) return field
  const type = field.type.filter((one) => one !== 'null')
  return {
    ...field,
    type: type[0] ?? 'string',
    ...(field.enum && { enum: field.enum.filter((value) => value !== null) }),
  }
}

/** An object of which all properties are required and no others allowed, as servers with strict schemas demand. */
function object(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false }
}

function list(properties: Record<string, JsonSchema>): JsonSchema {
  return { type: 'array', items: object(properties) }
}

function only(schema: JsonSchema, names: string[]): Record<string, JsonSchema> {
  return Object.fromEntries(
    names.map((name) => {
      const property = schema.properties?.[name]
      if (!property) throw new Error(`openapi.yaml has no property ${name} where one is expected`)
      return [name, property]
    }),
  )
}

function itemFields(name: string, fields: string[]): Record<string, JsonSchema> {
  return only(content.properties?.[name]?.items ?? {}, fields)
}

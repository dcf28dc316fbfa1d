import type { JsonSchema } from '../../../src/model/schema.ts'
import type { ServerRequest } from './rule.ts'

/** The last JSON schema of an object that a prompt shows on a line of its own. */
export function schemaIn(messages: ServerRequest['messages']): JsonSchema | undefined {
  const lines = messages.flatMap(({ content }) => content.split('\n'))
  return lines.map(parsedSchema).findLast((schema) => schema !== undefined)
}

function parsedSchema(line: string): JsonSchema | undefined {
  if (!/^\s*\{.*"properties"/.test(line)) return undefined
  try {
    const value: JsonSchema = JSON.parse(line)
    return value.type === 'object' ? value : undefined
  } catch {
    return undefined
  }
}

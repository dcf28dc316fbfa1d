import { onTestFinished } from 'vitest'
import { startFakeModel } from '../fakeModel.ts'
import type { Rule } from './rule.ts'

/** A JSON object. */
export type Json = Record<string, unknown>
export const schemaOf = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
  additionalProperties: false,
})
export const strictly = (schema: object) => ({
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
})
/** The schema of an answer that names the words at both ends of a prompt. */
export const WORDS = schemaOf('first', 'last')
const filler = (lines: number) => Array.from({ length: lines }, (_, i) => `line ${i} of the data`).join('\n')
/** A prompt with this many lines of about ten tokens between the words at its ends. */
export const asking = (lines = 0) => [
  { role: 'system', content: 'Answer as the schema says.' },
  { role: 'user', content: `First word: alpha\n${filler(lines)}\nLast word: omega\nWhich words?` },
]
export const WORDS_FOUND = { first: 'alpha', last: 'omega' }

/** A server with these rules, and a client that asks for the words at both ends of a prompt. */
export async function serverWith(rules: Rule[], options: Omit<Parameters<typeof startFakeModel>[0], 'rules'> = {}) {
  const server = await startFakeModel({ rules, ...options })
  onTestFinished(() => server.close())
  async function ask(
    more: Json = {},
  ): Promise<{ status: number; body: Json; error: string; text: string | null; usage: Json }> {
    const body = { model: 'fake-model', messages: asking(), ...strictly(WORDS), ...more }
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
    const answered = (await response.json()) as Json
    const choice = (answered['choices'] as { message: { content: string | null } }[] | undefined)?.[0]
    return {
      ...{ status: response.status, body: answered, error: JSON.stringify(answered['error'] ?? answered) },
      ...{ text: choice?.message.content ?? null, usage: Object(answered['usage']) },
    }
  }
  return { ...server, ask }
}

/** The messages of `asking`, with the schema in the system message. */
export function inPrompt(schema: object, lines = 0) {
  const [system, user] = asking(lines)
  return [{ ...system, content: `${system?.content} It is:\n${JSON.stringify(schema)}` }, user]
}

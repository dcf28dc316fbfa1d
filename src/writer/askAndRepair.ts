import type { ModelAnswer } from '../model/call.ts'
import type { JsonSchema } from '../model/schema.ts'
import { BadAnswer } from './errors.ts'
import type { Ask, OnProgress } from './modelBudget.ts'
import type { Judged } from './parseAnswer.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'

interface Question<T> {
  prompt: MeasuredPrompt
  schema: JsonSchema
  judge: (answer: ModelAnswer) => Promise<Judged<T>>
  /** For the first turn: a second one does not lead back to an earlier stage. */
  onProgress?: OnProgress
}

const UNPROVEN = 'The generated article failed verification against the diff.'

/** Asks, and where the answer has errors asks once more, telling which. */
export async function askAndRepair<T>(ask: Ask, { prompt, schema, judge, onProgress }: Question<T>): Promise<T> {
  const before = await judge(await ask(prompt, schema, onProgress))
  if (before.errors.length === 0 && before.usable) return before.usable
  const { said, request, tokens } = before.repair
  const messages = [
    ...prompt.messages,
    { role: 'assistant' as const, content: said },
    { role: 'user' as const, content: request },
  ]
  const after = await judge(await ask({ messages, tokens: prompt.tokens + tokens }, schema))
  const usable = after.usable ?? before.usable
  if (!usable) throw new BadAnswer(after.reason ?? UNPROVEN, after.errors)
  return usable
}

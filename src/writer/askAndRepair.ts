import { hasSchemaInPrompt, type ModelAnswer } from '../model/call.ts'
import { WindowTooSmall } from '../model/errors.ts'
import type { JsonSchema } from '../model/schema.ts'
import { BadAnswer } from './errors.ts'
import type { Ask, OnProgress } from './modelBudget.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import type { Judged } from './repair.ts'

interface Question<T, Verdict extends Judged<T>> {
  prompt: MeasuredPrompt
  schema: JsonSchema
  /** Checks an answer. `first` is the verdict on the first answer; it is passed only for the second answer. */
  judge: (answer: ModelAnswer, first?: Verdict) => Promise<Verdict>
  /**
   * Called only while the first answer arrives, because the second one must not move progress back to an earlier stage.
   */
  onProgress?: OnProgress
}

const UNPROVEN = 'The generated article failed verification against the diff.'

/**
 * Asks the model. An answer that does not fit the schema shows that the server does not apply schemas, so the model is
 * asked again with the schema in the prompt. If the answer has errors, a second turn lists them and asks for a
 * correction. This turn continues the same conversation with the same schema, so that the server reads both from its
 * cache.
 */
export async function askAndRepair<T, Verdict extends Judged<T>>(
  ask: Ask,
  { prompt, schema, judge, onProgress }: Question<T, Verdict>,
): Promise<T> {
  const answered = await ask(prompt, schema, { onProgress })
  let first = await judge(answered)
  if (first.isMisfit && !hasSchemaInPrompt(answered))
    first = await judge(await ask(prompt, schema, { onProgress, schemaInPrompt: true }))
  if (first.errors.length === 0 && first.usable) return first.usable
  const { answer, request, tokens } = first.repair
  const messages = [
    ...prompt.messages,
    { role: 'assistant' as const, content: answer },
    { role: 'user' as const, content: request },
  ]
  try {
    const second = await judge(await ask({ messages, tokens: prompt.tokens + tokens }, schema), first)
    const usable = second.usable ?? first.usable
    if (!usable) throw new BadAnswer(second.reason ?? UNPROVEN, second.errors)
    return usable
  } catch (error) {
    // The second prompt is longer than the first. If only the second exceeds the context window, use the first answer.
    if (error instanceof WindowTooSmall && first.usable) return first.usable
    throw error
  }
}

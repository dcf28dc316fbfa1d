import type { ModelAnswer } from '../model/call.ts'
import type { JsonSchema } from '../model/schema.ts'
import { askAndRepair } from './askAndRepair.ts'
import type { LinkedDraft } from './content.ts'
import type { Ask, OnProgress } from './modelBudget.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import type { RunStep } from './steps/index.ts'

interface Text {
  language: string
  hostPrUrl: string
}

interface PreparedTranslation {
  prompt: MeasuredPrompt
  schema: JsonSchema
  /** Tokens that the prompt leaves free for the second turn. */
  reserve: number
}

/** Translates an article whose citations are already verified. */
export async function translate(
  article: LinkedDraft,
  { prompt, schema, reserve }: PreparedTranslation,
  text: Text,
  { ask, run, onProgress }: { ask: Ask; run: RunStep; onProgress: OnProgress },
): Promise<LinkedDraft> {
  const instructions = prompt.messages[0]?.content ?? ''
  const judge = (answer: ModelAnswer) => run('judgeTranslation', { article, answer, reserve, instructions, ...text })
  return askAndRepair(ask, { prompt, schema, judge, onProgress })
}

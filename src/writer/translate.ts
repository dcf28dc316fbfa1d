import type { ModelAnswer } from '../model/call.ts'
import { askAndRepair } from './askAndRepair.ts'
import type { TiedDraft } from './content.ts'
import type { Ask, OnProgress } from './modelBudget.ts'
import { translationSchema } from './prompts/answerSchemas.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import type { RunStep } from './steps/index.ts'

interface Text {
  language: string
  hostPrUrl: string
}

/** Translates an article whose citations are already verified. */
export async function translate(
  article: TiedDraft,
  prompt: MeasuredPrompt,
  text: Text,
  { ask, run, onProgress }: { ask: Ask; run: RunStep; onProgress: OnProgress },
): Promise<TiedDraft> {
  const schema = translationSchema(article)
  const instructions = prompt.messages[0]?.content ?? ''
  const judge = (answer: ModelAnswer) => run('judgeTranslation', { article, answer, schema, instructions, ...text })
  return askAndRepair(ask, { prompt, schema, judge, onProgress })
}

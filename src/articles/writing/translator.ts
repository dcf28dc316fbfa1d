import type { ModelAnswer } from '../../model/call.ts'
import type { TiedDraft } from '../content.ts'
import type { RunStep } from '../steps/index.ts'
import { translationSchema } from './answerSchemas.ts'
import { converse } from './converse.ts'
import type { Ask, OnProgress } from './desk.ts'
import type { MeasuredPrompt } from './prompts.ts'

interface Text {
  language: string
  hostPrUrl: string
}

/** The proven article in another language. */
export async function translate(
  article: TiedDraft,
  prompt: MeasuredPrompt,
  text: Text,
  { ask, run, onProgress }: { ask: Ask; run: RunStep; onProgress: OnProgress },
): Promise<TiedDraft> {
  const schema = translationSchema(article)
  const instructions = prompt.messages[0]?.content ?? ''
  const judge = (answer: ModelAnswer) => run('judgeTranslation', { article, answer, schema, instructions, ...text })
  return converse(ask, { prompt, schema, judge, onProgress })
}

import type { Message } from '../../model/call.ts'
import type { DraftMismatch } from '../draft.ts'
import { type GivenAnswer, parseAnswer } from '../parseAnswer.ts'
import { repairSchema } from '../prompts/answerSchemas.ts'
import type { RepairedDraft } from '../prompts/answerTypes.ts'
import { measured, mismatchMessages } from '../prompts/prompts.ts'
import { tokenCounter } from '../reading/tokens.ts'

/** Builds the turn that confirms mismatches. `messages` are the prompt that the article was written from. */
export async function prepareMismatches({
  messages,
  mismatches,
}: {
  messages: Message[]
  mismatches: DraftMismatch[]
}) {
  return measured(mismatchMessages(messages, mismatches), await tokenCounter())
}

/** The mismatches that the second answer confirms; none if the answer is unusable. */
export async function judgeMismatches({ answer, mismatches }: { answer: GivenAnswer; mismatches: DraftMismatch[] }) {
  const schema = { ...repairSchema(['mismatches']), additionalProperties: true }
  const { value } = parseAnswer<RepairedDraft>(answer, schema)
  const confirmed = new Set(value?.mismatches?.map(({ quote }) => words(quote)))
  return mismatches.filter(({ quote }) => confirmed.has(words(quote)))
}

function words(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

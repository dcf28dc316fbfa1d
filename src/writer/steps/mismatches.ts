import type { DraftMismatch } from '../draft.ts'
import { type GivenAnswer, parseAnswer } from '../parseAnswer.ts'
import { mismatchSchema } from '../prompts/answerSchemas.ts'
import type { MismatchVerdicts } from '../prompts/answerTypes.ts'
import { measured, mismatchPrompt } from '../prompts/prompts.ts'
import { tokenCounter } from '../reading/tokens.ts'

/** The prompt to confirm mismatches. `data` is what the article was written from. */
export async function prepareMismatches({ data, mismatches }: { data: string; mismatches: DraftMismatch[] }) {
  return measured(mismatchPrompt(data, mismatches), await tokenCounter())
}

/** The mismatches that the second answer confirms; none if the answer is unusable. */
export async function judgeMismatches({ answer, mismatches }: { answer: GivenAnswer; mismatches: DraftMismatch[] }) {
  const { value } = parseAnswer<MismatchVerdicts>(answer, mismatchSchema)
  return mismatches.filter((_, i) => value?.verdicts[i]?.isMismatch === true)
}

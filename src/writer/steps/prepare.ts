import { parseDocument } from '../facts/document.ts'
import { draftSchema } from '../prompts/answerSchemas.ts'
import { instructionTokens } from '../prompts/instructions.ts'
import { articlePrompt, measured, notesPrompt } from '../prompts/prompts.ts'
import { languageName } from '../proof/languages.ts'
import type { ReadingLimits } from '../reading/budget.ts'
import { read } from '../reading/read.ts'
import { tokenCounter } from '../reading/tokens.ts'
import { secretMasker } from '../secrets/masker.ts'
import { toState } from './state.ts'

interface Input {
  document: Uint8Array
  language: string
  limits: ReadingLimits
}

/**
 * Reads a pull request within the limits. Returns one prompt for the article if everything fits one call, otherwise one
 * prompt per part to take notes.
 */
export async function prepare({ document, language, limits }: Input) {
  const pull = parseDocument(document)
  const count = await tokenCounter()
  const masker = secretMasker()
  const target = { language, languageName: languageName(language), host: new URL(pull.hostPrUrl).host }
  const instructionSize = instructionTokens(target, draftSchema, count)
  const reading = await read(pull, limits, instructionSize, { count, mask: masker.mask })
  const { plan, context, partContext, coverage } = reading
  const prompts = plan.single
    ? [articlePrompt(context, plan.parts[0] ?? [], target)]
    : plan.parts.map((part) => notesPrompt(partContext, part, target))
  return {
    state: toState(reading),
    single: plan.single,
    prompts: prompts.map((prompt) => measured(prompt, count)),
    coverage: { ...coverage, secretsMasked: masker.count },
  }
}

import type { JsonSchema } from '../../model/schema.ts'
import { parseDocument } from '../../pulls/document.ts'
import { instructionTokens } from '../prompts/instructions.ts'
import { articlePrompt, measured, notesPrompt } from '../prompts/prompts.ts'
import { languageName } from '../proof/languages.ts'
import { type ReadingLimits, share } from '../reading/budget.ts'
import { read } from '../reading/read.ts'
import { fitting, tokenCounter } from '../reading/tokens.ts'
import { secretMasker } from '../secrets/masker.ts'
import { toState } from './state.ts'

interface Input {
  document: Uint8Array
  language: string
  limits: ReadingLimits
  /** The form of the article, which the prompt states as well. */
  schema: JsonSchema
}

/**
 * Reads a pull request as far as the limits go. The prompts are one for the article where all of it fits a call, else one
 * for the notes of each part.
 */
export async function prepare({ document, language, limits, schema }: Input) {
  const pull = parseDocument(document)
  const count = await tokenCounter()
  const masker = secretMasker()
  const host = new URL(pull.hostPrUrl).host
  const name = languageName(language)
  const besides = instructionTokens(name, host, schema, count)
  const reading = await read(pull, limits, besides, { count, mask: masker.mask })
  const { plan, told, coverage } = reading
  const introduction = fitting(count, told.conversation.description, share.introduction(limits.tokensPerCall)).text
  const prompts = plan.single
    ? [articlePrompt(told, plan.parts[0] ?? [], name, host)]
    : plan.parts.map((part) => notesPrompt(told, part, introduction, host))
  return {
    state: toState(reading),
    single: plan.single,
    prompts: prompts.map((prompt) => measured(prompt, count)),
    coverage: { ...coverage, secretsMasked: masker.count },
  }
}

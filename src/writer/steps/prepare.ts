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
  /** The schema of the article, which is part of the prompt. */
  schema: JsonSchema
}

/**
 * Reads a pull request within the limits. Returns one prompt for the article if everything fits one call, otherwise one
 * prompt per part to take notes.
 */
export async function prepare({ document, language, limits, schema }: Input) {
  const pull = parseDocument(document)
  const count = await tokenCounter()
  const masker = secretMasker()
  const host = new URL(pull.hostPrUrl).host
  const name = languageName(language)
  const instructionSize = instructionTokens(name, host, schema, count)
  const reading = await read(pull, limits, instructionSize, { count, mask: masker.mask })
  const { plan, context, coverage } = reading
  const introduction = fitting(count, context.conversation.description, share.introduction(limits.tokensPerCall)).text
  const prompts = plan.single
    ? [articlePrompt(context, plan.parts[0] ?? [], name, host)]
    : plan.parts.map((part) => notesPrompt(context, part, introduction, host))
  return {
    state: toState(reading),
    single: plan.single,
    prompts: prompts.map((prompt) => measured(prompt, count)),
    coverage: { ...coverage, secretsMasked: masker.count },
  }
}

import { draftSchema } from '../prompts/answerSchemas.ts'
import type { Notes } from '../prompts/answerTypes.ts'
import { instructionTokens } from '../prompts/instructions.ts'
import { gatheredNotes } from '../prompts/notes.ts'
import { fromNotesPrompt, measured } from '../prompts/prompts.ts'
import { citableIn } from '../proof/citable.ts'
import { languageName } from '../proof/languages.ts'
import { freeTokens } from '../reading/budget.ts'
import { sizeOf } from '../reading/conversation.ts'
import { tokenCounter } from '../reading/tokens.ts'
import { fromState, type ReadingState } from './state.ts'

interface Input {
  state: ReadingState
  notes: Notes[]
  language: string
  hostPrUrl: string
  tokensPerCall: number
}

/** Builds the prompt to write an article from the notes on all parts. */
export async function promptFromNotes({ state, notes, language, hostPrUrl, tokensPerCall }: Input) {
  const { files, plan, context } = fromState(state)
  const count = await tokenCounter()
  const target = { language, languageName: languageName(language), host: new URL(hostPrUrl).host }
  const free = freeTokens(tokensPerCall, instructionTokens(target, draftSchema, count))
  const room = free - count(context.manifest) - sizeOf(context.conversation, count)
  const gathered = gatheredNotes(notes, plan.parts, citableIn(files, plan.parts.flat()), room, count)
  return measured(fromNotesPrompt(context, gathered, target), count)
}

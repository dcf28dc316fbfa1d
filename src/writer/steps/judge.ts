import type { JsonSchema } from '../../model/schema.ts'
import { type GivenAnswer, judgeAnswer } from '../parseAnswer.ts'
import type { Draft, Notes } from '../prompts/answerTypes.ts'
import { checkDraft, type Proven, type Standards, type Verdict } from '../proof/check.ts'
import { type Citable, citableIn, provenCitation } from '../proof/citable.ts'
import { languageName } from '../proof/languages.ts'
import { tokenCounter } from '../reading/tokens.ts'
import { fromState, type ReadingState } from './state.ts'

interface Question {
  state: ReadingState
  answer: GivenAnswer
  schema: JsonSchema
  /** Tokens that the prompt leaves free for the second turn. */
  reserve: number
}

interface DraftQuestion extends Question, Pick<Standards, 'language' | 'hostPrUrl' | 'instructions'> {}

/** Checks a draft against the diff and the rules for texts. */
export async function judgeDraft({ state, answer, schema, reserve, ...standards }: DraftQuestion) {
  const { files, plan } = fromState(state)
  const citable = citableIn(files, plan.parts.flat())
  const name = languageName(standards.language)
  const judge = (draft: Draft): Promise<Verdict<Proven>> =>
    checkDraft(draft, { ...standards, citable, languageName: name })
  return judgeAnswer(answer, { schema, judge, reserve, count: await tokenCounter() })
}

/** Keeps those notes on a part whose citations are valid. */
export async function judgeNotes({ state, part, answer, schema, reserve }: Question & { part: number }) {
  const { files, plan } = fromState(state)
  const citable = citableIn(files, plan.parts[part] ?? [])
  const judge = async (notes: Notes) => provenNotes(notes, citable)
  return judgeAnswer(answer, { schema, judge, reserve, count: await tokenCounter() })
}

/** Drops notes with invalid citations without a second turn: the other notes are enough. */
function provenNotes({ mainChanges, notablePoints }: Notes, citable: Citable): Verdict<Notes> {
  const holds = ({ evidence }: { evidence: Notes['mainChanges'][number]['evidence'] }) =>
    evidence.every((citation) => typeof provenCitation(citable, citation) !== 'string')
  return { errors: [], usable: { mainChanges: mainChanges.filter(holds), notablePoints: notablePoints.filter(holds) } }
}

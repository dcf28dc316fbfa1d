import type { Citation } from '../draft.ts'
import { type GivenAnswer, parseAnswer } from '../parseAnswer.ts'
import { draftSchema, notesSchema, repairSchema } from '../prompts/answerSchemas.ts'
import type { Notes, RepairedDraft } from '../prompts/answerTypes.ts'
import { COUNTS } from '../prompts/lengths.ts'
import type { CheckContext, TextContext } from '../proof/checkContext.ts'
import { type CheckedDraft, checkDraft, failedItems, nameOf, withRepairs } from '../proof/checkDraft.ts'
import { notIn } from '../proof/checkText.ts'
import { type Citable, citableIn, provenCitation } from '../proof/citable.ts'
import { finishDraft, type Proven } from '../proof/finishDraft.ts'
import { languageName } from '../proof/languages.ts'
import { shownLinesOf } from '../proof/shownLines.ts'
import { passagesOf } from '../reading/conversation.ts'
import { tokenCounter } from '../reading/tokens.ts'
import { type Judged, repairOf } from '../repair.ts'
import { fromState, type ReadingState } from './state.ts'

interface Question {
  state: ReadingState
  answer: GivenAnswer
  /** Tokens that the prompt leaves free for the second turn. */
  reserve: number
}

interface DraftQuestion extends Question, Pick<TextContext, 'language' | 'hostPrUrl' | 'instructions'> {
  /** The checked first answer, if this answer repairs it. */
  former?: CheckedDraft | undefined
}

export interface JudgedDraft extends Judged<Proven> {
  /** The checked items, needed to judge the repair; undefined if the whole answer is asked for again. */
  checked?: CheckedDraft | undefined
}

/** Checks every item of a draft against the diff, the sources and the rules for texts. */
export async function judgeDraft({ state, answer, reserve, former, ...texts }: DraftQuestion): Promise<JudgedDraft> {
  const context = { ...texts, languageName: languageName(texts.language) }
  const wanted = former ? failedItems(former) : []
  const schema = wanted.length > 0 ? repairSchema(wanted.map(({ part }) => part)) : draftSchema
  const count = await tokenCounter()
  // Some models also answer other parts. The schema does not validate those, so they are ignored.
  const parsed = parseAnswer<RepairedDraft>(answer, { ...schema, additionalProperties: true })
  if (!parsed.value) {
    const { errors, reason, isMisfit } = parsed
    const repair = repairOf(answer, { errors, items: [], reserve, count })
    return {
      errors,
      reason,
      isMisfit,
      usable: former ? finishDraft(former, texts.language) : null,
      checked: former,
      repair,
    }
  }
  const asked = Object.entries(parsed.value).filter(([part]) => Object.hasOwn(schema.properties ?? {}, part))
  const answered = await checkDraft(Object.fromEntries(asked), standardsOf(state, context))
  const checked = former && wanted.length > 0 ? withRepairs(former, answered) : answered
  const failed = failedItems(checked)
  const usable = finishDraft(checked, texts.language)
  const errors = failed.flatMap((item) => item.errors.map((error) => `${nameOf(item)}: ${error}`))
  // If there are no sections, there is no item to repair, so the whole answer is asked for again.
  const hasSections = checked.mainChanges.length > 0
  if (!hasSections) errors.push('it has no sections: mainChanges is empty')
  const items = hasSections ? failed.map(nameOf) : []
  const inAnotherLanguage = errors.some((error) => error.includes(notIn(context)))
  return {
    errors,
    usable,
    ...(inAnotherLanguage && { reason: `The model did not write in ${context.languageName}.` }),
    checked: hasSections ? checked : undefined,
    repair: repairOf(answer, { errors, items, reserve, count }),
  }
}

function standardsOf(state: ReadingState, texts: TextContext): CheckContext {
  const { files, plan, context, milestone } = fromState(state)
  const parts = plan.parts.flat()
  return {
    ...texts,
    citable: citableIn(files, parts),
    lines: shownLinesOf(parts),
    headings: parts.flatMap(({ hunks }) => hunks.map(({ heading }) => heading)),
    passages: passagesOf(context.conversation),
    milestone,
  }
}

/** Checks notes on a part. Keeps the weightiest ones whose citations are all valid. */
export async function judgeNotes({
  state,
  part,
  answer,
  reserve,
}: Question & { part: number }): Promise<Judged<Notes>> {
  const { files, plan } = fromState(state)
  const correction = { items: [], reserve, count: await tokenCounter() }
  const parsed = parseAnswer<Notes>(answer, notesSchema)
  if (parsed.value) {
    const usable = provenNotes(parsed.value, citableIn(files, plan.parts[part] ?? []))
    return { errors: [], usable, repair: repairOf(answer, { ...correction, errors: [] }) }
  }
  const { errors, reason, isMisfit } = parsed
  return { errors, reason, isMisfit, usable: null, repair: repairOf(answer, { ...correction, errors }) }
}

/** Drops notes with invalid citations. The model is not asked again, because the other notes are enough. */
function provenNotes({ mainChanges, notablePoints }: Notes, citable: Citable): Notes {
  const isProven = ({ evidence }: { evidence: Citation[] }) =>
    evidence.length > 0 && evidence.every((citation) => typeof provenCitation(citable, citation) !== 'string')
  const weightiest = <Note extends { weight: number; evidence: Citation[] }>(notes: Note[]) =>
    notes
      .filter(isProven)
      .toSorted((a, b) => b.weight - a.weight)
      .slice(0, COUNTS.notesPerPart)
  return { mainChanges: weightiest(mainChanges), notablePoints: weightiest(notablePoints) }
}

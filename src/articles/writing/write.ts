import pLimit from 'p-limit'
import type { PullRequestDocument } from '../../pulls/document.ts'
import { checkDraft, type Proven, type Standards, type Verdict } from '../proof/check.ts'
import { type Citable, citableIn, provenCitation } from '../proof/citable.ts'
import { languageName } from '../proof/languages.ts'
import { type ReadingLimits, SLACK, share } from '../reading/budget.ts'
import type { Part } from '../reading/plan.ts'
import { type Reading, sizeOf } from '../reading/read.ts'
import { type Count, fitting } from '../reading/tokens.ts'
import { draftSchema, type Notes, notesSchema } from './answerSchemas.ts'
import { converse } from './converse.ts'
import type { Ask } from './desk.ts'
import { fromNotesInstructions } from './instructions.ts'
import { gatheredNotes } from './notes.ts'
import { articlePrompt, fromNotesPrompt, notesPrompt } from './prompts.ts'

const PARTS_AT_ONCE = 4
/** As long as the mark between data and instructions. */
const MARK = 'x'.repeat(26)

/** How many tokens the model is told at most besides what it is shown. */
export function instructionTokens(pull: PullRequestDocument, language: string, count: Count): number {
  const instructions = fromNotesInstructions(languageName(language), hostOf(pull), MARK)
  return count(instructions) + count(JSON.stringify(draftSchema.schema))
}

/** Where a second model writes, it need not read again what the first has noted. */
export type KeptNotes = Map<Part, Notes>

/** Writes from what was read: in one call where it fits, else from notes taken of its parts. */
export async function write(
  reading: Reading,
  language: string,
  ask: Ask,
  { tokensPerCall }: Pick<ReadingLimits, 'tokensPerCall'>,
  count: Count,
  report: (stage: 'writing' | 'checking', share: number) => Promise<void>,
  kept: KeptNotes,
): Promise<Proven> {
  const { pull, files, plan, told } = reading
  const name = languageName(language)
  const host = hostOf(pull)
  const reserve = share.repair(tokensPerCall)
  const citable = citableIn(files, plan.parts.flat())
  const standards = { citable, language, languageName: name, hostPrUrl: pull.hostPrUrl }
  const { single } = plan
  const prompt = single
    ? articlePrompt(told, plan.parts[0] ?? [], name, host)
    : fromNotesPrompt(told, await notesOf(reading, ask, tokensPerCall, count, standards, report, kept), name, host)
  await report('writing', single ? 0.1 : 0.8)
  return converse(ask, {
    prompt,
    answer: draftSchema,
    judge: async (draft) => {
      await report('checking', 0.9)
      return checkDraft(draft, { ...standards, instructions: prompt.instructions })
    },
    reserve,
    count,
  })
}

async function notesOf(
  { pull, files, plan, told }: Reading,
  ask: Ask,
  budget: number,
  count: Count,
  standards: Omit<Standards, 'instructions'>,
  report: (stage: 'writing', share: number) => Promise<void>,
  kept: KeptNotes,
): Promise<string> {
  const { conversation } = told
  const host = hostOf(pull)
  const introduction = fitting(count, conversation.description, share.introduction(budget)).text
  const limit = pLimit(PARTS_AT_ONCE)
  let done = 0
  const notes = await Promise.all(
    plan.parts.map((part) =>
      limit(async () => {
        const noted = kept.get(part)
        if (noted) return noted
        const prompt = notesPrompt(told, part, introduction, host)
        const citable = citableIn(files, part)
        const judge = async (raw: Notes) => provenNotes(raw, citable)
        const taken = await converse(ask, { prompt, answer: notesSchema, judge, reserve: share.repair(budget), count })
        kept.set(part, taken)
        done += 1
        await report('writing', (0.8 * done) / plan.parts.length)
        return taken
      }),
    ),
  ).catch((error) => {
    limit.clearQueue()
    throw error
  })
  const instructions = instructionTokens(pull, standards.language, count)
  const room = budget - share.repair(budget) - SLACK - instructions - count(told.manifest) - sizeOf(conversation, count)
  return gatheredNotes(notes, plan.parts, standards.citable, room, count)
}

/** Notes that cite what is not there are no use to anyone; the others are. */
function provenNotes({ mainChanges, notablePoints }: Notes, citable: Citable): Verdict<Notes> {
  const holds = ({ evidence }: { evidence: Notes['mainChanges'][number]['evidence'] }) =>
    evidence.every((citation) => typeof provenCitation(citable, citation) !== 'string')
  return { faults: [], usable: { mainChanges: mainChanges.filter(holds), notablePoints: notablePoints.filter(holds) } }
}

function hostOf({ hostPrUrl }: PullRequestDocument): string {
  return new URL(hostPrUrl).host
}

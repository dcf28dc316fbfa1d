import pLimit from 'p-limit'
import type { components } from '../../generated/api.ts'
import type { PullRequestDocument } from '../pulls/document.ts'
import { draftSchema, type Notes, notesSchema } from './answerSchemas.ts'
import { type ChangedFile, changedFilesOf, type Mask } from './changedFiles.ts'
import { checkDraft, type Proven, type Standards } from './check.ts'
import { citableIn, provenCitation } from './citable.ts'
import { converse, type Verdict } from './converse.ts'
import type { Ask } from './desk.ts'
import { languageName } from './languages.ts'
import { gatheredNotes } from './notes.ts'
import { type CoveredFile, planReading, type ReadingPlan } from './plan.ts'
import { type Conversation, tellConversation } from './prompt/conversation.ts'
import { fromNotesInstructions } from './prompt/instructions.ts'
import { manifest } from './prompt/manifest.ts'
import { articlePrompt, fromNotesPrompt, notesPrompt, type Told } from './prompt/prompts.ts'
import { fitting } from './tokens.ts'

export type Coverage = components['schemas']['Coverage']
type Count = (text: string) => number

/** A pull request read as far as it is going to be, ready to be written about. */
export interface Reading {
  pull: PullRequestDocument
  files: ChangedFile[]
  plan: ReadingPlan
  told: Told
  coverage: Omit<Coverage, 'secretsMasked' | 'claimsDropped'>
}

export interface ReadingLimits {
  tokensPerCall: number
  callsPerArticle: number
  tokensPerArticle: number
}

interface Tools {
  count: Count
  mask: Mask
}

/** Calls that are kept back from reading in parts: to write, and to put right. */
const CALLS_KEPT_BACK = 4
const PARTS_AT_ONCE = 4
/** What a message takes beyond its text, and what counting texts apart may miss of counting them together. */
const SLACK = 200
/** As long as the mark between data and instructions. */
const MARK = 'x'.repeat(26)

/** Shares of the tokens of a call. */
const share = {
  repair: (budget: number) => Math.floor(budget / 6),
  manifest: (budget: number) => Math.floor(budget / 4),
  description: (budget: number) => Math.floor(budget / 8),
  commits: (budget: number) => Math.floor(budget / 24),
  comments: (budget: number) => Math.floor(budget / 8),
  introduction: (budget: number) => Math.floor(budget / 24),
}

export async function read(pull: PullRequestDocument, limits: ReadingLimits, tools: Tools): Promise<Reading> {
  const { count, mask } = tools
  const budget = limits.tokensPerCall
  const files = await changedFilesOf(pull, mask)
  const shares = {
    description: share.description(budget),
    commits: share.commits(budget),
    comments: share.comments(budget),
  }
  const conversation = await tellConversation(pull, shares, mask, count)
  const listed = Math.min(
    share.manifest(budget),
    count(manifest(files, new Map(), share.manifest(budget), count)) + files.length * 8,
  )
  const fixed = count(fromNotesInstructions('x'.repeat(40), hostOf(pull), MARK)) + listed + SLACK
  const free = budget - share.repair(budget) - fixed
  const plan = await planReading(
    files,
    {
      whole: free - sizeOf(conversation, count),
      part: free - count(conversation.about) - count(conversation.title) - share.introduction(budget),
      mostParts: mostParts(limits),
    },
    tools,
  )
  const covered = new Map(plan.files.map((file) => [file.path, file]))
  const told = {
    conversation: await maskedAgain(conversation, mask),
    manifest: manifest(files, covered, listed, count),
  }
  return { pull, files, plan, told, coverage: coverageOf(pull, plan.files, conversation.coverage) }
}

/** A secret the diff gives away by its name may stand nameless in what was said. */
async function maskedAgain(conversation: Conversation, mask: Mask): Promise<Conversation> {
  const masked = async (text: string) => (await mask(text.split('\n'))).join('\n')
  const { title, description, commits, comments } = conversation
  return {
    ...conversation,
    title: await masked(title),
    description: await masked(description),
    commits: await masked(commits),
    comments: await masked(comments),
  }
}

function mostParts({ tokensPerCall, callsPerArticle, tokensPerArticle }: ReadingLimits): number {
  const byTokens = Math.floor(tokensPerArticle / tokensPerCall) - CALLS_KEPT_BACK
  return Math.max(1, Math.min(callsPerArticle - CALLS_KEPT_BACK, byTokens))
}

function sizeOf({ about, title, description, commits, comments }: Conversation, count: Count): number {
  return [about, title, description, commits, comments].reduce((sum, text) => sum + count(text), 0)
}

export function coverageOf(
  pull: PullRequestDocument,
  files: CoveredFile[],
  told: Conversation['coverage'],
): Reading['coverage'] {
  const counted = (state: CoveredFile['state']) => files.filter((file) => file.state === state).length
  return {
    changedFiles: Math.max(pull.changedFiles, files.length),
    read: counted('read'),
    partlyRead: counted('partlyRead'),
    skipped: counted('skipped'),
    notListed: Math.max(0, pull.changedFiles - files.length),
    files,
    ...told,
  }
}

/** Writes from what was read: in one call where it fits, else from notes taken of its parts. */
export async function write(
  reading: Reading,
  language: string,
  ask: Ask,
  { tokensPerCall }: Pick<ReadingLimits, 'tokensPerCall'>,
  count: Count,
  report: (stage: 'writing' | 'checking', share: number) => Promise<void>,
): Promise<Proven> {
  const { pull, files, plan, told } = reading
  const name = languageName(language)
  const host = hostOf(pull)
  const reserve = share.repair(tokensPerCall)
  const citable = citableIn(files, plan.parts.flat())
  const standards = { citable, language, languageName: name, hostPrUrl: pull.hostPrUrl }
  const [only = [], ...more] = plan.parts
  const single = more.length === 0 && plan.files.every(({ reason }) => reason !== 'budget')
  const prompt = single
    ? articlePrompt(told, only, name, host)
    : fromNotesPrompt(told, await notesOf(reading, ask, tokensPerCall, count, standards, report), name, host)
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
  { pull, plan, told }: Reading,
  ask: Ask,
  budget: number,
  count: Count,
  standards: Omit<Standards, 'instructions'>,
  report: (stage: 'writing', share: number) => Promise<void>,
): Promise<string> {
  const { conversation } = told
  const host = hostOf(pull)
  const introduction = fitting(count, conversation.description, share.introduction(budget)).text
  const limit = pLimit(PARTS_AT_ONCE)
  let done = 0
  const notes = await Promise.all(
    plan.parts.map((part) =>
      limit(async () => {
        const prompt = notesPrompt(told, part, introduction, host)
        const judge = async (raw: Notes) => provenNotes(raw, standards)
        const taken = await converse(ask, { prompt, answer: notesSchema, judge, reserve: share.repair(budget), count })
        done += 1
        await report('writing', (0.8 * done) / plan.parts.length)
        return taken
      }),
    ),
  )
  const instructions = count(fromNotesInstructions(standards.languageName, host, MARK))
  const room = budget - share.repair(budget) - SLACK - instructions - count(told.manifest) - sizeOf(conversation, count)
  return gatheredNotes(notes, plan.parts, standards.citable, room, count)
}

/** Notes that cite what is not there are no use to anyone; the others are. */
function provenNotes(
  { mainChanges, notablePoints }: Notes,
  { citable }: Omit<Standards, 'instructions'>,
): Verdict<Notes> {
  const holds = ({ evidence }: { evidence: Notes['mainChanges'][number]['evidence'] }) =>
    evidence.every((citation) => typeof provenCitation(citable, citation) !== 'string')
  return { faults: [], usable: { mainChanges: mainChanges.filter(holds), notablePoints: notablePoints.filter(holds) } }
}

function hostOf({ hostPrUrl }: PullRequestDocument): string {
  return new URL(hostPrUrl).host
}

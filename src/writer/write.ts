import pLimit from 'p-limit'
import { askAndRepair } from './askAndRepair.ts'
import { confirmMismatches } from './confirmMismatches.ts'
import type { Ask } from './modelBudget.ts'
import { draftSchema, notesSchema } from './prompts/answerSchemas.ts'
import type { Notes } from './prompts/answerTypes.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import type { Proven } from './proof/finishDraft.ts'
import { type ReadingLimits, share } from './reading/budget.ts'
import type { Judged } from './repair.ts'
import type { RunStep } from './steps/index.ts'
import type { JudgedDraft } from './steps/judge.ts'
import { shareWritten } from './streamProgress.ts'

const PARTS_AT_ONCE = 4

/** Notes by the index of their part. A fallback model reuses those of the first model. */
export type KeptNotes = Map<number, Notes>

interface Prepared {
  state: Uint8Array
  single: boolean
  prompts: MeasuredPrompt[]
}

interface Dependencies {
  run: RunStep
  ask: Ask
  limits: Pick<ReadingLimits, 'tokensPerCall'>
  report: (stage: 'writing' | 'checking', share: number) => Promise<void>
  kept: KeptNotes
}

interface Text {
  language: string
  hostPrUrl: string
}

/** Writes an article in one call if the pull request fits, otherwise from notes on its parts. */
export async function write(prepared: Prepared, text: Text, deps: Dependencies) {
  const { run, ask, limits, report } = deps
  const { state, single, prompts } = prepared
  const prompt = single ? prompts[0] : await promptFromNotes(prepared, text, deps)
  if (!prompt) throw new TypeError('There is no prompt to write from.')
  const start = single ? 0.1 : 0.8
  await report('writing', start)
  const reserve = share.repair(limits.tokensPerCall)
  const instructions = prompt.messages[0]?.content ?? ''
  const { draft, dropped } = await askAndRepair<Proven, JudgedDraft>(ask, {
    prompt,
    schema: draftSchema,
    judge: async (answer, first) => {
      await report('checking', 0.9)
      return run('judgeDraft', { state, answer, reserve, instructions, former: first?.checked, ...text })
    },
    onProgress: (characters) => report('writing', start + (0.9 - start) * shareWritten(characters)),
  })
  const mismatches = await confirmMismatches(draft.mismatches, prompt, limits.tokensPerCall, { run, ask })
  return { draft: { ...draft, mismatches }, dropped: dropped + draft.mismatches.length - mismatches.length }
}

async function promptFromNotes({ state, prompts }: Prepared, text: Text, deps: Dependencies): Promise<MeasuredPrompt> {
  const { run, ask, limits, report, kept } = deps
  const { tokensPerCall } = limits
  const reserve = share.repair(tokensPerCall)
  const withSlot = pLimit(PARTS_AT_ONCE)
  const shares: number[] = prompts.map((_, part) => (kept.has(part) ? 1 : 0))
  const reportPart = (part: number, share: number) => {
    shares[part] = share
    return report('writing', (0.8 * shares.reduce((sum, share) => sum + share, 0)) / shares.length)
  }
  const takeNotes = async (prompt: MeasuredPrompt, part: number): Promise<Notes> => {
    const keptNotes = kept.get(part)
    if (keptNotes) return keptNotes
    const newNotes = await askAndRepair<Notes, Judged<Notes>>(ask, {
      prompt,
      schema: notesSchema,
      judge: (answer) => run('judgeNotes', { state, part, answer, reserve }),
      onProgress: (characters) => reportPart(part, shareWritten(characters)),
    })
    kept.set(part, newNotes)
    await reportPart(part, 1)
    return newNotes
  }
  const notes = await Promise.all(prompts.map((prompt, part) => withSlot(() => takeNotes(prompt, part)))).catch(
    (error) => {
      withSlot.clearQueue()
      throw error
    },
  )
  return run('promptFromNotes', { state, notes, ...text, tokensPerCall })
}

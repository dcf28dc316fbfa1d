import pLimit from 'p-limit'
import { askAndRepair } from './askAndRepair.ts'
import type { Ask } from './modelBudget.ts'
import { draftSchema, notesSchema } from './prompts/answerSchemas.ts'
import type { Notes } from './prompts/answerTypes.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import { type ReadingLimits, share } from './reading/budget.ts'
import type { RunStep } from './steps/index.ts'
import { shareWritten } from './streamProgress.ts'

const PARTS_AT_ONCE = 4

/** Where a second model writes, it need not read again what the first has noted. */
export type KeptNotes = Map<number, Notes>

interface Prepared {
  state: Uint8Array
  single: boolean
  prompts: MeasuredPrompt[]
}

interface Means {
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

/** Writes from what was read: in one call where it fits, else from notes taken of its parts. */
export async function write(prepared: Prepared, text: Text, means: Means) {
  const { run, ask, limits, report } = means
  const { state, single, prompts } = prepared
  const prompt = single ? prompts[0] : await promptFromNotes(prepared, text, means)
  if (!prompt) throw new TypeError('There is no prompt to write from.')
  const start = single ? 0.1 : 0.8
  await report('writing', start)
  const reserve = share.repair(limits.tokensPerCall)
  const instructions = prompt.messages[0]?.content ?? ''
  return askAndRepair(ask, {
    prompt,
    schema: draftSchema,
    judge: async (answer) => {
      await report('checking', 0.9)
      return run('judgeDraft', { state, answer, schema: draftSchema, reserve, instructions, ...text })
    },
    onProgress: (characters) => report('writing', start + (0.9 - start) * shareWritten(characters)),
  })
}

async function promptFromNotes({ state, prompts }: Prepared, text: Text, means: Means): Promise<MeasuredPrompt> {
  const { run, ask, limits, report, kept } = means
  const { tokensPerCall } = limits
  const reserve = share.repair(tokensPerCall)
  const turn = pLimit(PARTS_AT_ONCE)
  const shares: number[] = prompts.map((_, part) => (kept.has(part) ? 1 : 0))
  const reportPart = (part: number, share: number) => {
    shares[part] = share
    return report('writing', (0.8 * shares.reduce((sum, one) => sum + one, 0)) / shares.length)
  }
  const noteOn = async (prompt: MeasuredPrompt, part: number): Promise<Notes> => {
    const noted = kept.get(part)
    if (noted) return noted
    const taken = await askAndRepair(ask, {
      prompt,
      schema: notesSchema,
      judge: (answer) => run('judgeNotes', { state, part, answer, schema: notesSchema, reserve }),
      onProgress: (characters) => reportPart(part, shareWritten(characters)),
    })
    kept.set(part, taken)
    await reportPart(part, 1)
    return taken
  }
  const notes = await Promise.all(prompts.map((prompt, part) => turn(() => noteOn(prompt, part)))).catch((error) => {
    turn.clearQueue()
    throw error
  })
  return run('gather', { state, notes, ...text, tokensPerCall, schema: draftSchema })
}

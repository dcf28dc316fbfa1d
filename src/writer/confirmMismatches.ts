import { Problem } from '../errors.ts'
import { ModelUnavailable, PromptRefused } from '../model/errors.ts'
import type { DraftMismatch } from './draft.ts'
import type { Ask } from './modelBudget.ts'
import { mismatchSchema } from './prompts/answerSchemas.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import type { RunStep } from './steps/index.ts'

/**
 * Has the model check the mismatches it found a second time, because a wrong one accuses the author. A mismatch that
 * cannot be confirmed is dropped; the article does not fail for it.
 */
export async function confirmMismatches(
  mismatches: DraftMismatch[],
  { messages }: MeasuredPrompt,
  tokensPerCall: number,
  { run, ask }: { run: RunStep; ask: Ask },
): Promise<DraftMismatch[]> {
  if (mismatches.length === 0) return []
  try {
    const prompt = await run('prepareMismatches', { data: messages[1]?.content ?? '', mismatches })
    if (prompt.tokens > tokensPerCall) return []
    return await run('judgeMismatches', { answer: await ask(prompt, mismatchSchema), mismatches })
  } catch (error) {
    if (error instanceof ModelUnavailable || error instanceof PromptRefused || error instanceof Problem) return []
    throw error
  }
}

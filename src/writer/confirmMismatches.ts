import { Problem } from '../errors.ts'
import { ModelUnavailable, PromptRefused, WindowTooSmall } from '../model/errors.ts'
import type { DraftMismatch } from './draft.ts'
import type { Ask } from './modelBudget.ts'
import { draftSchema } from './prompts/answerSchemas.ts'
import type { MeasuredPrompt } from './prompts/prompts.ts'
import type { RunStep } from './steps/index.ts'

/**
 * Asks the model to check the mismatches it found a second time, because a wrong one accuses the author. Drops each
 * mismatch that is not confirmed. The article does not fail if the model call of this check fails.
 */
export async function confirmMismatches(
  mismatches: DraftMismatch[],
  { messages, tokens }: MeasuredPrompt,
  tokensPerCall: number,
  { run, ask }: { run: RunStep; ask: Ask },
): Promise<DraftMismatch[]> {
  if (mismatches.length === 0) return []
  try {
    const turn = await run('prepareMismatches', { messages, mismatches })
    const prompt = { messages: [...messages, ...turn.messages], tokens: tokens + turn.tokens }
    if (prompt.tokens > tokensPerCall) return []
    const { content, refusal, cutOff } = await ask(prompt, draftSchema)
    return await run('judgeMismatches', { answer: { content, refusal, cutOff }, mismatches })
  } catch (error) {
    const isBearable = [ModelUnavailable, PromptRefused, WindowTooSmall, Problem].some((kind) => error instanceof kind)
    if (isBearable) return []
    throw error
  }
}

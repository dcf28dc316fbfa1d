import { countTokens } from '../reading/tokens.ts'
import { judgeDraft, judgeNotes } from './judge.ts'
import { judgeMismatches, prepareMismatches } from './mismatches.ts'
import { outline } from './outline.ts'
import { prepare } from './prepare.ts'
import { promptFromNotes } from './promptFromNotes.ts'
import { render } from './render.ts'
import { judgeTranslation, prepareTranslation } from './translation.ts'

/** Steps that process untrusted input or model output. They are pure and run in worker threads. */
export const steps = {
  countTokens,
  promptFromNotes,
  render,
  judgeDraft,
  judgeMismatches,
  judgeNotes,
  judgeTranslation,
  outline,
  prepare,
  prepareMismatches,
  prepareTranslation,
}

type Steps = typeof steps

export type RunStep = <Name extends keyof Steps>(
  name: Name,
  input: Parameters<Steps[Name]>[0],
) => Promise<Awaited<ReturnType<Steps[Name]>>>

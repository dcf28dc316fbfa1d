import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect } from 'vitest'
import type { StoredContent } from '../../src/writer/content.ts'
import type { ModelRequest } from './fakeModel.ts'

/** The fewest tokens per call that the service accepts. */
export const LIMITS = { tokensPerCall: 8000, callsPerArticle: 12, tokensPerArticle: 200_000 }

/** The tokens of a request, counted by another implementation of the tokenizer than the service has. */
export function sizeOf(request: ModelRequest | undefined): number {
  const texts = request?.messages.map(({ content }) => content) ?? []
  return texts.reduce((sum, text) => sum + countTokens(text, { disallowedSpecial: new Set() }), 0)
}

/** Expects that every changed file is counted once, in the state that the list of files names. */
export function expectConsistent(coverage: StoredContent['coverage']): void {
  const { changedFiles, read, partlyRead, skipped, notListed } = coverage
  expect(read + partlyRead + skipped + notListed).toBe(changedFiles)
  for (const state of ['read', 'partlyRead', 'skipped'] as const)
    expect(coverage.files.filter((file) => file.state === state)).toHaveLength(coverage[state])
}

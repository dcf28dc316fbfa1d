import type { Usage } from './call.ts'

/**
 * The token counts that servers report, under the names that different servers use. Any of them may be missing or of
 * another type.
 */
export interface ReportedUsage {
  prompt_tokens?: unknown
  completion_tokens?: unknown
  prompt_tokens_details?: { cached_tokens?: unknown; cache_write_tokens?: unknown } | null
  completion_tokens_details?: { reasoning_tokens?: unknown } | null
  prompt_cache_hit_tokens?: unknown
  cache_read_input_tokens?: unknown
  cache_creation_input_tokens?: unknown
}

export function usageOf(usage: ReportedUsage | null | undefined): Usage {
  const { prompt_tokens_details: input, completion_tokens_details: output } = usage ?? {}
  return {
    inputTokens: firstCount(usage?.prompt_tokens),
    outputTokens: firstCount(usage?.completion_tokens),
    cachedTokens: firstCount(input?.cached_tokens, usage?.prompt_cache_hit_tokens, usage?.cache_read_input_tokens),
    cacheWriteTokens: firstCount(input?.cache_write_tokens, usage?.cache_creation_input_tokens),
    reasoningTokens: firstCount(output?.reasoning_tokens),
  }
}

function firstCount(...counts: unknown[]): number {
  return counts.find((count): count is number => Number.isSafeInteger(count) && (count as number) >= 0) ?? 0
}

import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { clip } from '../../lib/clip.ts'
import { issuesOf } from '../api/problems.ts'
import { bodyErrors } from '../api/schemas.ts'
import { remedyOf } from './remedies.ts'
import { estimateTokens, MAX_ANSWER_TOKENS } from './tokenEstimate.ts'
import type { ToolAnswer, ToolCall } from './tool.ts'
import type { AnyTool } from './tools.ts'

const MAX_ISSUES = 5
const MAX_ISSUE_LENGTH = 200

/** Validates the arguments and runs the tool. */
export async function runTool(ctx: Context, tool: AnyTool, input: unknown, call: ToolCall) {
  const answer = await tool.run(ctx, validated(tool, input), call)
  const tokens = estimateTokens(JSON.stringify(answer.structured ?? '')) + estimateTokens(answer.text)
  if (tokens > MAX_ANSWER_TOKENS) throw new Error(`The answer of ${tool.name} has about ${tokens} tokens.`)
  return toResult(answer)
}

function validated({ inputSchema }: AnyTool, input: unknown): Record<string, unknown> {
  const args = (input ?? {}) as Record<string, unknown>
  const errors = bodyErrors(inputSchema, args)
  if (errors.length === 0) return args
  const issues = issuesOf({ validation: errors }).slice(0, MAX_ISSUES)
  throw new Problem('VALIDATION_ERROR', 'The arguments do not match the input schema of the tool.', {
    details: {
      issues: issues.map(({ in: part, path, message }) => ({ in: part, path: short(path), message: short(message) })),
    },
  })
}

function short(text: string): string {
  return clip(text, MAX_ISSUE_LENGTH).text
}

function toResult({ structured, text }: ToolAnswer) {
  return { content: [{ type: 'text' as const, text }], ...(structured && { structuredContent: structured }) }
}

/**
 * The result for an error: a line for models, then JSON for programs as the last line. It has no structured content,
 * because clients with version 1.x of the package compare that with the output schema even for errors, and then show
 * only that it does not match.
 */
export function toErrorResult(problem: Problem, requestId: string) {
  const { code, message, details, retryAfter } = problem
  const issues = details?.issues?.map(({ path, message: issue }) => `${path || 'arguments'} ${issue}.`) ?? []
  const retry = retryAfter && `Try again in ${retryAfter} seconds.`
  const authorize = details?.authorizationUrl && `The user can authorize it at ${details.authorizationUrl}`
  const line = [`${code}: ${message}`, ...issues, remedyOf(problem), retry, authorize].filter(Boolean).join(' ')
  const error = { code, message, ...(details && { details }), ...(retryAfter && { retryAfter }), requestId }
  return { isError: true, content: [{ type: 'text' as const, text: `${line}\n${JSON.stringify({ error })}` }] }
}

import type { Context } from '../../context.ts'
import { unauthenticated, userNotFound } from '../../domain/accounts/problems.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import type { Cost } from '../../runtime/limits/limits.ts'

/** A call of a tool: who calls, and how to answer. */
export interface ToolCall {
  viewer: Viewer | undefined
  /** Whether the caller sent a valid token, with or without an account. */
  isIdentified: boolean
  /** The public origin of the service, for links. */
  origin: string
  /** Aborted when the caller cancels or disconnects. */
  signal: AbortSignal
  /** Reports progress from 0 to 1. */
  report(progress: number, message: string): void
}

export interface ToolAnswer {
  /** Holds everything that models need: most clients pass on nothing else. */
  text: string
  /** The same for programs. Tools whose answer is Markdown have none: some clients pass on nothing but this. */
  structured?: Record<string, unknown>
}

export interface ToolAnnotations {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

interface ObjectSchema {
  type: 'object'
  properties: Record<string, object>
  required?: string[]
  additionalProperties?: boolean
  [keyword: string]: unknown
}

export interface Tool<Input extends object> {
  name: string
  title: string
  description: string
  annotations: ToolAnnotations
  inputSchema: ObjectSchema
  /** Describes structured content, if the tool has it. */
  outputSchema?: ObjectSchema
  /** Whether only users with an account may call it. */
  needsUser?: true
  /** The timeout, if longer than that of other requests. */
  seconds?: number
  /** The rate limit that a call with this input counts against. */
  cost(input: Partial<Input>): Cost
  run(ctx: Context, input: Input, call: ToolCall): Promise<ToolAnswer>
}

/** `openWorldHint`: strangers write the texts that articles are about, so clients may trust such results less. */
export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
}

export function requireViewer({ viewer, isIdentified }: ToolCall): Viewer {
  if (viewer) return viewer
  throw isIdentified ? userNotFound() : unauthenticated('This tool requires a bearer token.')
}

export type State = 'ok' | 'advice' | 'broken'

/** What the check found about one part of the deployment, and what the operator can do about it. */
export interface Finding {
  part: string
  state: State
  found: string
  remedy?: string | undefined
}

export function messageOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : []
  return first instanceof Error ? first.message : String(first)
}

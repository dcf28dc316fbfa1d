/** The day (UTC) that quotas and budgets are counted for, as `2026-01-31`. */
export function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}

export function secondsUntilTomorrow(now: Date): number {
  const tomorrow = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)
  return Math.max(1, Math.ceil((tomorrow - now.getTime()) / 1000))
}

import { DAY_MS, MINUTE_MS } from '../../lib/times.ts'

export const PERIODS = ['monthly', 'weekly', 'daily'] as const

/** The start of each period. */
export interface Windows {
  monthly_from: Date
  weekly_from: Date
  daily_from: Date
}

/** Periods end now and start on a full minute. */
export function windowsAt(now: Date): Windows {
  const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS
  const before = (days: number) => new Date(minute - days * DAY_MS)
  return { monthly_from: before(30), weekly_from: before(7), daily_from: before(1) }
}

export function isBehind(windows: Windows, wanted: Windows): boolean {
  return PERIODS.some((period) => windows[`${period}_from`] < wanted[`${period}_from`])
}

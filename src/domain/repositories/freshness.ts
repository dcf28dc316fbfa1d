import type { Context } from '../../context.ts'
import { ANONYMOUS_MINUTES, type Freshness } from '../../db/visibility.ts'

/**
 * The minutes for which a public check is valid. Without a token the rate limit is low, so a check is valid for longer.
 */
const MINUTES_WITH_TOKEN = 5

/** How old a visibility check may be before the code host is asked again. */
export function freshness(ctx: Context): Freshness {
  return { now: ctx.now(), public_minutes: ctx.config.codeHost.token ? MINUTES_WITH_TOKEN : ANONYMOUS_MINUTES }
}

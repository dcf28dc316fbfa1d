import type { Context } from '../../context.ts'
import { isHidden } from '../../db/hiding/hidden.ts'
import type { RepositoryKey } from '../../db/repositories/repositories.ts'
import type { Audience } from '../../db/visibility.ts'
import { forbidden } from '../../errors.ts'

/**
 * Throws 403 if the caller could see the pull request, had the operator not hidden it or its repository. Nothing is
 * fetched or written about hidden ones.
 */
export async function requireNotHidden(
  ctx: Context,
  audience: Audience,
  by: RepositoryKey,
  number: number,
): Promise<void> {
  if (await isHidden(ctx.db, audience, by, number))
    throw forbidden(
      'hidden_by_operator',
      'The operator of this service has hidden this pull request or its repository.',
    )
}

import type { Context } from '../../context.ts'
import {
  findShownRepository,
  type Name,
  type RepositoryKey,
  upsertRepository,
} from '../../db/repositories/repositories.ts'
import type { Problem } from '../../errors.ts'
import type { HostForbidden } from '../../host/errors.ts'
import { perContext } from '../../lib/perContext.ts'
import { askAsService } from './askAsService.ts'
import { hostForbidsToken } from './problems.ts'
import { createPublicNames } from './publicNames.ts'
import { afterPublicCheck } from './publicVisibility.ts'
import { audienceOf, toKnown } from './visibility.ts'

const CHECK_TIMEOUT_MS = 2000

const publicNames = perContext(({ now }: Context) => createPublicNames(now))

/**
 * The error for a viewer whose token the code host forbids for a repository. Undefined unless the service itself finds
 * that the repository is public: a repository that is not public does not exist for this viewer.
 */
export async function forbiddenByHost(
  ctx: Context,
  by: RepositoryKey,
  error: HostForbidden,
): Promise<Problem | undefined> {
  return (await isPublic(ctx, by)) ? hostForbidsToken(error) : undefined
}

/** Whether a repository is public according to the service's last check, which is made now if it is due. */
export async function isPublic(ctx: Context, by: RepositoryKey): Promise<boolean> {
  const find = (key: RepositoryKey) => findShownRepository(ctx.db, audienceOf(ctx, undefined), key)
  if (await afterPublicCheck(ctx, by, () => find(by))) return true
  if ('hostRepoId' in by) return false
  const hostRepoId = await findPublicByName(ctx, by)
  return hostRepoId !== undefined && (await find({ hostRepoId })) !== undefined
}

/** Asks the code host about a repository that is not known to be public, and stores it if it is public. */
async function findPublicByName(ctx: Context, { owner, repo }: Name): Promise<number | undefined> {
  const key = `${owner}/${repo}`.toLowerCase()
  return publicNames(ctx)(key, async (countAnonymous) => {
    const askedAt = ctx.now()
    const repository = await askAsService(ctx, (credential) => ctx.host.repository(credential, owner, repo), {
      until: performance.now() + CHECK_TIMEOUT_MS,
      onAnonymous: countAnonymous,
    })
    if (!repository || repository.private) return undefined
    await upsertRepository(ctx.db, toKnown(repository), askedAt, ctx.now())
    return repository.id
  })
}

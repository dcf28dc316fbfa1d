import type { Context } from '../../context.ts'
import { type Name, type RepositoryKey, recordAnswer, recordDenial } from '../../db/repositories/repositories.ts'
import type { Problem } from '../../errors.ts'
import type { HostRepository } from '../../host/codeHost.ts'
import { HostForbidden } from '../../host/errors.ts'
import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import { forbiddenByHost } from './forbiddenByHost.ts'
import { repositoryNotFound } from './problems.ts'
import { afterPublicCheck, type CheckedRepository, checkAllPublic } from './publicVisibility.ts'
import { toKnown } from './visibility.ts'

/**
 * A repository as the viewer's token sees it. `problem` is set if the repository is public, but forbidden to this
 * token.
 */
export async function repositoryFor(
  ctx: Context,
  viewer: Viewer,
  { owner, repo }: Name,
): Promise<{ repository: HostRepository | null; problem?: Problem | undefined }> {
  return askHost(ctx, viewer, (credential) => ctx.host.repository(credential, owner, repo)).then(
    (repository) => ({ repository }),
    async (error) => {
      if (!(error instanceof HostForbidden)) throw error
      return { repository: null, problem: await forbiddenByHost(ctx, { owner, repo }, error) }
    },
  )
}

/** Looks a repository up by name on the code host with the viewer's token, and stores the answer. */
export async function askForRepository(ctx: Context, viewer: Viewer, { owner, repo }: Name): Promise<number> {
  const askedAt = ctx.now()
  const { repository, problem } = await repositoryFor(ctx, viewer, { owner, repo })
  if (problem) throw problem
  if (!repository) {
    const denial = { sessionId: viewer.id, askedAt, heardAt: ctx.now() }
    checkAllPublic(ctx, await recordDenial(ctx.db, { owner, repo }, denial))
    throw repositoryNotFound()
  }
  const record = toKnown(repository)
  await recordAnswer(ctx.db, {
    sessionId: viewer.id,
    hostRepoId: repository.id,
    repository: record,
    askedAt,
    heardAt: ctx.now(),
  })
  return repository.id
}

/**
 * Finds data of a repository by its name, after the public check if that is due. If a viewer may not see the repository
 * yet, the code host is asked with the viewer's token; for anonymous callers it is not asked.
 */
export async function findByName<T extends CheckedRepository>(
  ctx: Context,
  viewer: Viewer | undefined,
  name: Name,
  find: (by: RepositoryKey) => Promise<T | undefined>,
): Promise<T> {
  let found = await afterPublicCheck(ctx, name, () => find(name))
  if (!found && viewer) found = await find({ hostRepoId: await askForRepository(ctx, viewer, name) })
  if (!found) throw repositoryNotFound()
  return found
}

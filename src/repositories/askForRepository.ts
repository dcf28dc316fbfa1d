import { askHost } from '../accounts/hostTokens.ts'
import type { Viewer } from '../accounts/session.ts'
import type { Context } from '../context.ts'
import { type Name, recordAnswer, recordDenial } from '../db/repositories/repositories.ts'
import { repositoryNotFound } from './problems.ts'
import { checkAllPublic } from './publicVisibility.ts'
import { toKnown } from './visibility.ts'

/** Looks a repository up by name on the code host with the viewer's token, and stores the answer. */
export async function askForRepository(ctx: Context, viewer: Viewer, { owner, repo }: Name): Promise<number> {
  const askedAt = ctx.now()
  const repository = await askHost(ctx, viewer, (credential) => ctx.host.repository(credential, owner, repo))
  if (!repository) {
    const denial = { sessionId: viewer.id, askedAt, heardAt: ctx.now() }
    checkAllPublic(ctx, await recordDenial(ctx.db, { owner, repo }, denial))
    throw repositoryNotFound()
  }
  const known = toKnown(repository)
  await recordAnswer(ctx.db, {
    sessionId: viewer.id,
    hostRepoId: repository.id,
    repository: known,
    askedAt,
    heardAt: ctx.now(),
  })
  return repository.id
}

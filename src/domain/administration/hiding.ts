import type { Kysely } from 'kysely'
import { findNamed, findPull, setPullHidden, setRepositoryHidden } from '../../db/hiding/hide.ts'
import { updateWatched } from '../../db/merges/watched.ts'
import type { Name } from '../../db/repositories/repositories.ts'
import type { Schema } from '../../db/schema/schema.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

type Action = 'hide' | 'unhide'
type ArticleKey = Parameters<typeof findPull>[1]

/** Hides a repository with everything about it from everybody, or shows it again. */
export async function hideRepository(db: Kysely<Schema>, action: Action, name: Name, operator: Operator): Promise<Act> {
  const repositories = await findNamed(db, name)
  // Hides only the most recently verified repository of this name: the others may have been renamed since.
  const candidates = action === 'hide' ? repositories.slice(0, 1) : repositories
  const repository = candidates.find(({ hidden_by }) => (hidden_by === null) === (action === 'hide'))
  if (!repository) throw repositories.length === 0 ? new AdminError('There is no such repository.') : isDone(action)
  const { host_repo_id: hostRepoId, owner, name: repo } = repository
  const act = { ...operator, act: `${action} repository`, subject: `${owner}/${repo} (${hostRepoId})` }
  await perform(db, act, async (trx, id) => {
    if (!(await setRepositoryHidden(trx, hostRepoId, action === 'hide' ? id : null))) throw isDone(action)
    await updateWatched(trx, hostRepoId, operator.at)
  })
  return act
}

/** Hides an article and its pull request from everybody, or shows them again. */
export async function hideArticle(
  db: Kysely<Schema>,
  action: Action,
  key: ArticleKey,
  operator: Operator,
): Promise<Act> {
  const pull = await findPull(db, key)
  if (!pull) throw new AdminError('There is no such article, and no such pull request is stored.')
  const place = `${pull.owner}/${pull.name}#${pull.number}`
  const subject = pull.article_id ? `${place} (${pull.article_id})` : place
  const act = { ...operator, act: `${action} article`, subject }
  await perform(db, act, async (trx, id) => {
    if (!(await setPullHidden(trx, pull, action === 'hide' ? id : null))) throw isDone(action)
  })
  return act
}

function isDone(action: Action): AdminError {
  return new AdminError(action === 'hide' ? 'It is hidden already.' : 'It is not hidden.')
}

import type { Kysely } from 'kysely'
import { findNamed, findPull, setPullHidden, setRepositoryHidden } from '../db/hiding/hide.ts'
import { updateWatched } from '../db/merges/watched.ts'
import type { Name } from '../db/repositories/repositories.ts'
import type { Schema } from '../db/schema/schema.ts'
import { type Act, AdminError, type Operator, perform } from './perform.ts'

type Wish = 'hide' | 'unhide'
type ArticleKey = Parameters<typeof findPull>[1]

/** Hides a repository with everything about it from everybody, or shows it again. */
export async function hideRepository(db: Kysely<Schema>, wish: Wish, name: Name, operator: Operator): Promise<Act> {
  const found = await findNamed(db, name)
  const repository = found.find(({ hidden_by }) => (hidden_by === null) === (wish === 'hide'))
  if (!repository) throw found.length === 0 ? new AdminError('There is no such repository.') : isDone(wish)
  const { host_repo_id: hostRepoId, owner, name: repo } = repository
  const act = { ...operator, act: `${wish} repository`, subject: `${owner}/${repo} (${hostRepoId})` }
  await perform(db, act, async (trx, id) => {
    if (!(await setRepositoryHidden(trx, hostRepoId, wish === 'hide' ? id : null))) throw isDone(wish)
    await updateWatched(trx, hostRepoId, operator.at)
  })
  return act
}

/** Hides an article and its pull request from everybody, or shows them again. */
export async function hideArticle(db: Kysely<Schema>, wish: Wish, key: ArticleKey, operator: Operator): Promise<Act> {
  const pull = await findPull(db, key)
  if (!pull) throw new AdminError('There is no such article, and no such pull request is stored.')
  const place = `${pull.owner}/${pull.name}#${pull.number}`
  const subject = pull.article_id ? `${place} (${pull.article_id})` : place
  const act = { ...operator, act: `${wish} article`, subject }
  await perform(db, act, async (trx, id) => {
    if (!(await setPullHidden(trx, pull, wish === 'hide' ? id : null))) throw isDone(wish)
  })
  return act
}

function isDone(wish: Wish): AdminError {
  return new AdminError(wish === 'hide' ? 'It is hidden already.' : 'It is not hidden.')
}

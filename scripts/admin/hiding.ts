import { findAllHidden } from '../../src/db/hiding/hide.ts'
import { hideArticle, hideRepository } from '../../src/domain/administration/hiding.ts'
import { AdminError } from '../../src/domain/administration/perform.ts'
import { repositoryIn } from '../../src/domain/repositories/parseAddress.ts'
import { articleKeyIn } from './articleKey.ts'
import { type Command, type Request, UsageError } from './command.ts'
import { table, time } from './print.ts'

export const hide: Command = { words: 2, options: [], kind: 'act', run: (request) => act('hide', request) }
export const unhide: Command = { words: 2, options: [], kind: 'act', run: (request) => act('unhide', request) }

async function act(action: 'hide' | 'unhide', { db, config, words: [kind, named = ''], operator }: Request) {
  const { webUrl } = config.codeHost
  if (kind === 'repository') {
    const name = repositoryIn(named, webUrl)
    if (!name) throw new AdminError('Name the repository as owner/name.')
    return { acts: [await hideRepository(db, action, name, operator)] }
  }
  if (kind !== 'article') throw new UsageError(`What to ${action} is an article or a repository.`)
  return { acts: [await hideArticle(db, action, articleKeyIn(named, webUrl), operator)] }
}

export const hidden: Command = {
  ...{ words: 0, options: [], kind: 'list' },
  async run({ db }) {
    const rows = await findAllHidden(db)
    const lines = rows.map(({ owner, name, number, article_id, at, by, note }) => [
      number === null ? 'repository' : 'article',
      number === null ? `${owner}/${name}` : `${owner}/${name}#${number}`,
      ...[article_id ?? '-', time(at), by, note ?? ''],
    ])
    return { rows, text: table(['KIND', 'WHAT', 'ID', 'SINCE', 'BY', 'NOTE'], lines, ['WHAT', 'ID']) }
  },
}

import { findAccounts } from '../../src/db/admin/accounts.ts'
import { block, endSessions, unblock } from '../../src/domain/administration/accounts.ts'
import type { Command } from './command.ts'
import { count, table, time } from './print.ts'

const HEAD = ['LOGIN', 'HOST ID', 'STATE', 'CREATED', 'LAST ACTIVE', 'ARTICLES', 'TOKENS IN', 'OUT']

export const users: Command = {
  ...{ words: 0, options: ['limit', 'after'], kind: 'list' },
  async run({ db, options: { limit, after } }) {
    const rows = await findAccounts(db, limit, after)
    const lines = rows.map(({ login, host_user_id, created_at, active_at, blocked, ...row }) => [
      ...[login, String(host_user_id), blocked ? 'blocked' : 'active', time(created_at), time(active_at)],
      ...[count(row.articles), count(row.input_tokens), count(row.output_tokens)],
    ])
    const last = rows.length === limit ? rows.at(-1) : undefined
    const text = table(HEAD, lines, ['LOGIN'])
    return { rows, text: last ? `${text}\n\nMore: --after ${last.id}` : text }
  },
}

export const endSessionsOf: Command = {
  ...{ words: 1, options: [], kind: 'act' },
  async run({ db, words: [login = ''], operator }) {
    const { acts, ended } = await endSessions(db, login, operator)
    return { acts, details: { sessions: ended } }
  },
}

export const blockUser: Command = {
  ...{ words: 1, options: [], kind: 'act' },
  async run({ db, words: [login = ''], operator }) {
    const { acts, jobs } = await block(db, login, operator)
    return { acts, details: { 'canceled jobs': jobs } }
  },
}

export const unblockUser: Command = {
  ...{ words: 1, options: [], kind: 'act' },
  run: async ({ db, words: [login = ''], operator }) => ({ acts: await unblock(db, login, operator) }),
}

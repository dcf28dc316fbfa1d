import { type AdminJob, findJobs } from '../../src/db/admin/jobs.ts'
import { cancelJob, retryJob } from '../../src/domain/administration/jobs.ts'
import { AdminError } from '../../src/domain/administration/perform.ts'
import { isId } from '../../src/web/pages/page.ts'
import { pageColumns } from '../terminal/columns.ts'
import { wrap } from '../terminal/wrap.ts'
import type { Command } from './command.ts'
import { age, plainLines, table } from './print.ts'

const HEAD = ['ID', 'STATUS', 'ARTICLE', 'LANGUAGE', 'USER', 'AGE']

export const jobs: Command = {
  ...{ words: 0, options: ['limit', 'failed'], kind: 'list' },
  async run({ db, options: { limit, failed }, operator }) {
    const rows = await findJobs(db, { limit, isFailed: failed })
    const cells = rows.map(({ id, status, owner, name, number, language, login, is_automatic, created_at }) => [
      ...[id, status, `${owner}/${name}#${number}`, language, login ?? (is_automatic ? 'automatic' : '-')],
      age(created_at, operator.at),
    ])
    const [head, ...lines] = table(HEAD, cells, ['ID', 'ARTICLE']).split('\n')
    return { rows, text: [head, ...lines.flatMap((line, i) => [line, ...causeLines(rows[i])])].join('\n') }
  },
}

/** Why a job failed, below its line, because it is too long for a table. */
function causeLines(job: AdminJob | undefined): string[] {
  if (!job?.error_code) return []
  const { error_code, error_reason, error_message, error_cause } = job
  const code = error_reason ? `${error_code} (${error_reason})` : error_code
  return [
    wrap(plainLines([`${code}: ${error_message}`, ...(error_cause ?? '').split('\n')].join('\n')), pageColumns(), '  '),
  ]
}

export const retry: Command = {
  ...{ words: 1, options: [], kind: 'act' },
  run: async ({ db, config, words: [id = ''], operator }) => ({
    acts: [await retryJob(db, config, requireJobId(id), operator)],
  }),
}

export const cancel: Command = {
  ...{ words: 1, options: [], kind: 'act' },
  run: async ({ db, words: [id = ''], operator }) => ({ acts: [await cancelJob(db, requireJobId(id), operator)] }),
}

function requireJobId(text: string): string {
  if (!isId(text)) throw new AdminError('There is no such job. The command takes the id that `jobs` shows.')
  return text.toLowerCase()
}

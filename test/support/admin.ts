import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { runCommand } from '../../scripts/admin/runCommand.ts'
import type { Service } from './service.ts'

const program = join(dirname(process.env['TEST_MAIN'] ?? ''), 'admin.js')
const compileCache = fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url))
export const PUBLIC_URL = 'https://press.example.com'

export interface Result {
  code: number
  stdout: string
  stderr: string
}

/** Runs the admin command beside the service. */
export function adminOf(service: Service, own: Record<string, string> = {}) {
  const variables = {
    ...{ CODE_HOST_API_URL: service.host.url, CODE_HOST_WEB_URL: service.host.url, PUBLIC_URL },
    ...service.database.env,
    ...own,
  }

  /** Runs it in this process, because starting one for each command would take most of the time. */
  async function run(args: string[]): Promise<Result> {
    const [stdout, stderr]: [string[], string[]] = [[], []]
    const into = (texts: string[]) => ({ write: (written: string) => texts.push(written) })
    const code = await runCommand(args, () => variables, { stdout: into(stdout), stderr: into(stderr) })
    return { code, stdout: stdout.join(''), stderr: stderr.join('') }
  }

  /** Runs it as a process, as operators do. */
  async function runProcess(args: string[], env: Record<string, string> = {}, input = ''): Promise<Result> {
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [program, ...args], {
      env: { PATH, NODE_COMPILE_CACHE: compileCache, ...variables, ...env },
    })
    child.stdin.end(input)
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
    return { code, stdout, stderr }
  }

  async function done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(args)
    expect([code, stderr]).toEqual([0, ''])
    return stdout
  }

  return {
    run,
    runProcess,
    done,
    listed: async (...args: string[]) => JSON.parse(await done(...args, '--json')),
    acts: () =>
      service.ctx.db.selectFrom('admin_acts').select(['act', 'subject', 'by', 'note']).orderBy('id').execute(),
  }
}

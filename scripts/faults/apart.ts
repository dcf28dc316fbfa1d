import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * While something is measured, whoever asks keeps to the last core, and all it has started to the others: on one
 * machine, one who asks for too much would otherwise take away what it measures.
 */
export async function apart<T>(work: () => Promise<T>): Promise<T> {
  const last = availableParallelism() - 1
  if (last === 0) return work()
  const started = descendantsOf(process.pid)
  keepTo(`${last}`, [process.pid])
  keepTo(`0-${last - 1}`, started)
  try {
    return await work()
  } finally {
    keepTo(`0-${last}`, [process.pid, ...started])
  }
}

function keepTo(cores: string, pids: number[]): void {
  for (const pid of pids)
    try {
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, `${pid}`], { stdio: 'ignore' })
    } catch (error) {
      // A process that has just ended does not matter; a program that is missing does.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    }
}

function descendantsOf(ancestor: number): number[] {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(name) }))
  const childrenOf = (pid: number): number[] =>
    processes.filter(({ parent }) => parent === pid).flatMap((child) => [child.pid, ...childrenOf(child.pid)])
  return childrenOf(ancestor)
}

function parentOf(pid: string): number {
  const stat = told(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function told(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

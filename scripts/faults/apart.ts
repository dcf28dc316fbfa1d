import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/**
 * Pins this process to the last core and all its child processes to the others while `work` runs, so that the load
 * generator does not take CPU from the measured node.
 */
export async function onSeparateCores<T>(work: () => Promise<T>): Promise<T> {
  const last = availableParallelism() - 1
  if (last === 0) return work()
  const started = descendantsOf(process.pid)
  pinTo(`${last}`, [process.pid])
  pinTo(`0-${last - 1}`, started)
  try {
    return await work()
  } finally {
    pinTo(`0-${last}`, [process.pid, ...started])
  }
}

function pinTo(cores: string, pids: number[]): void {
  for (const pid of pids)
    try {
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, `${pid}`], { stdio: 'ignore' })
    } catch (error) {
      // Ignore processes that have just exited, but not a missing program.
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
  const stat = readIfPresent(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

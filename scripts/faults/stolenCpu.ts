import { existsSync, readFileSync } from 'node:fs'

const TIMES = '/proc/stat'

/**
 * Measures stolen CPU time: the share that the hypervisor gave to other virtual machines. Zero if the system does not
 * report it.
 */
export function watchStolenCpu(): () => number {
  const before = times()
  return () => {
    const now = times()
    return (now.stolen - before.stolen) / Math.max(1, now.total - before.total)
  }
}

function times() {
  if (!existsSync(TIMES)) return { stolen: 0, total: 0 }
  const [line = ''] = readFileSync(TIMES, 'utf8').split('\n')
  const [, ...spent] = line.split(/\s+/).map(Number)
  return { stolen: spent[7] ?? 0, total: spent.slice(0, 8).reduce((sum, time) => sum + time, 0) }
}

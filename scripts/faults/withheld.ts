import { existsSync, readFileSync } from 'node:fs'

const TIMES = '/proc/stat'

/**
 * On a machine that is a part of another: the share of time since then in which its processors served others. Nothing
 * where the system does not tell.
 */
export function watchWithheld(): () => number {
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

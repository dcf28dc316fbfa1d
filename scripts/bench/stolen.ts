import { existsSync, readFileSync } from 'node:fs'

interface CpuTimes {
  stolen: number
  total: number
}

const FILE = '/proc/stat'
/** User, nice, system, idle, waiting for I/O, interrupts, soft interrupts, stolen. */
const COLUMNS = 8

/** CPU times since the start of the machine; all 0 where they are not known. */
export function cpuTimes(): CpuTimes {
  const [line = ''] = existsSync(FILE) ? readFileSync(FILE, 'utf8').split('\n') : []
  const times = line
    .split(/\s+/)
    .slice(1, 1 + COLUMNS)
    .map(Number)
  return { stolen: times.at(-1) ?? 0, total: times.reduce((sum, time) => sum + time, 0) }
}

/** The share of the CPU time that other virtual machines on the host took from this one. */
export function stolenSince(before: CpuTimes): number {
  const now = cpuTimes()
  return now.total === before.total ? 0 : (now.stolen - before.stolen) / (now.total - before.total)
}

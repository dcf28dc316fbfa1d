import { abused } from './faults/abuse.ts'
import { OPENABLE } from './faults/collector.ts'
import * as ofDatabase from './faults/database.ts'
import * as ofHostileInput from './faults/hostile.ts'
import { mergesFound } from './faults/merges.ts'
import * as ofNodes from './faults/nodes.ts'
import { overloaded } from './faults/overload.ts'
import { soaked } from './faults/soak.ts'
import { printHead, printRow, type Row } from './faults/table.ts'
import { watchStolenCpu } from './faults/withheld.ts'
import { createWorld } from './faults/world.ts'

/**
 * Injects real faults into separate Postgres and service processes and checks that acknowledged writes survive. `--
 * nodesKilled linkCut …` selects scenarios; `--seconds 20` shortens the long ones.
 */
const KILL_SECONDS = 120
const SOAK_SECONDS = 20 * 60
const scenarios = { ...ofNodes, ...ofDatabase, ...ofHostileInput, mergesFound, overloaded, abused, soaked }
const given = process.argv.slice(2)
const at = given.indexOf('--seconds')
const seconds = at === -1 ? undefined : Number(given[at + 1])
const names = given.filter((_, i) => at === -1 || (i !== at && i !== at + 1))
const wanted = Object.entries(scenarios).filter(([name]) => names.length === 0 || names.includes(name))
if (names.some((name) => !(name in scenarios)) || Number.isNaN(seconds)) {
  console.error(`Available scenarios: ${Object.keys(scenarios).join(', ')}`)
  process.exit(1)
}

console.log('Starting a Postgres cluster and three nodes …\n')
const world = await createWorld(3, OPENABLE)
const rows: Row[] = []
printHead()
try {
  for (const [name, scenario] of wanted) {
    const stolenShare = watchStolenCpu()
    const row = await scenario(world, seconds ?? (name === 'soaked' ? SOAK_SECONDS : KILL_SECONDS))
    printRow(row, stolenShare())
    rows.push(row)
  }
} finally {
  await world.end()
}
process.exit(rows.every((row) => row.isGood) ? 0 : 1)

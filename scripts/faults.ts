import { parseArgs } from 'node:util'
import * as ofDatabase from './faults/database.ts'
import { type Deployment, startDeployment } from './faults/deployment.ts'
import { mergesFound } from './faults/merges.ts'
import * as ofNodes from './faults/nodes.ts'
import { soaked } from './faults/soak.ts'
import { watchStolenCpu } from './faults/stolenCpu.ts'
import { printHead, printRow, type Scenario } from './faults/table.ts'

/**
 * Injects real faults into separate Postgres and service processes and checks that acknowledged writes survive.
 * `npm run faults -- nodesKilled linkCut …` selects scenarios; `--seconds 20` shortens the long ones.
 */
const { nodesKilled, nodesRestarted } = ofNodes
const scenarios: Record<string, Scenario> = { nodesKilled, nodesRestarted, ...ofDatabase, mergesFound, soaked }
const { values, positionals: names } = parseArgs({ allowPositionals: true, options: { seconds: { type: 'string' } } })
const seconds = values.seconds === undefined ? undefined : Number(values.seconds)
if (names.some((name) => !(name in scenarios)) || Number.isNaN(seconds)) {
  console.error(`Available scenarios: ${Object.keys(scenarios).join(', ')}`)
  process.exit(1)
}

let isGood = true
printHead()
for (const [name, scenario] of Object.entries(scenarios)) {
  if (names.length > 0 && !names.includes(name)) continue
  const deployments: Deployment[] = []
  const start = async (env: Record<string, string> = {}) => {
    const deployment = await startDeployment(env)
    deployments.push(deployment)
    return deployment
  }
  const stolenShare = watchStolenCpu()
  try {
    const row = await scenario(start, seconds)
    printRow(row, stolenShare())
    isGood &&= row.isGood
  } finally {
    for (const deployment of deployments) await deployment.end()
  }
}
process.exit(isGood ? 0 : 1)

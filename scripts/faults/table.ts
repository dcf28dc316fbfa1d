import type { Deployment } from './deployment.ts'
import type { Report } from './load.ts'

/** Runs a scenario. `start` starts its deployment, which ends with the scenario. */
export type Scenario = (start: (env?: Record<string, string>) => Promise<Deployment>, seconds?: number) => Promise<Row>

export interface Row {
  fault: string
  report?: Report
  /** Seconds from the end of the fault until all requests succeeded; the maximum of several injections. */
  recovery?: number
  observations: string[]
  isGood: boolean
}

export function printHead(): void {
  console.log('| fault | requests | acknowledged | lost | failed after retry | recovery s | observations | |')
  console.log('|---|---:|---:|---:|---:|---:|---|---|')
}

/** `stolenShare` is the share of CPU time that the hypervisor gave to other machines. */
export function printRow({ fault, report, recovery, observations, isGood }: Row, stolenShare: number): void {
  const counts = report ? [report.requests, report.acknowledged, report.lost, report.errors] : ['', '', '', '']
  const all = [...observations, ...(report ? describe(report) : [])]
  if (stolenShare >= 0.02) all.push(`${Math.round(100 * stolenShare)} % CPU stolen by other machines`)
  const cells = [fault, ...counts, recovery?.toFixed(1) ?? '', all.join('; '), isGood ? 'pass' : '**FAIL**']
  console.log(`| ${cells.join(' | ')} |`)
}

function describe({ jobs, failedJobs, statuses }: Report): string[] {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`)
  return [
    `${jobs} articles accepted${failedJobs > 0 ? `, ${failedJobs} failed` : ''}`,
    ...(counts.length > 0 ? [`failed attempts: ${counts.join(', ')}`] : []),
  ]
}

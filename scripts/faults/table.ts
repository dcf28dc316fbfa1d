import type { Report } from './load.ts'
import type { World } from './world.ts'

export type Scenario = (world: World, seconds: number) => Promise<Row>

export interface Row {
  fault: string
  load: string
  report?: Report
  /** Seconds until all requests succeeded after the fault ended; the maximum of several. */
  recovery?: number | undefined
  /** Other observations. */
  seen?: string
  isGood: boolean
}

export function printHead(): void {
  console.log('| fault | load | requests | acknowledged | lost | failed after retry | recovery s | observations | |')
  console.log('|---|---|---:|---:|---:|---:|---:|---|---|')
}

/** `stolenShare` is the share of CPU time that the hypervisor gave to other machines. */
export function printRow({ fault, load, report, recovery, seen = '', isGood }: Row, stolenShare: number): void {
  const cells = report
    ? [report.requests, report.acknowledged, report.lost, `${report.errors} (${share(report)})`]
    : ['', '', '', '']
  const others = [
    recovery === undefined ? '' : recovery.toFixed(1),
    [seen, jobs(report), statuses(report), noise(stolenShare)].filter(Boolean).join('; '),
  ]
  console.log(`| ${[fault, load, ...cells, ...others, isGood ? 'pass' : '**FAIL**'].join(' | ')} |`)
}

function share({ errors, requests }: Report): string {
  return `${((100 * errors) / Math.max(1, requests)).toFixed(2)} %`
}

function jobs(report: Report | undefined): string {
  if (!report?.jobs) return ''
  return `${report.jobs} articles accepted${report.failedJobs > 0 ? `, ${report.failedJobs} failed` : ''}`
}

function statuses(report: Report | undefined): string {
  const counts = Object.entries(report?.statuses ?? {}).map(([status, count]) => `${count} × ${status}`)
  return counts.length > 0 ? `failed attempts: ${counts.join(', ')}` : ''
}

function noise(stolenShare: number): string {
  return stolenShare >= 0.02 ? `${Math.round(100 * stolenShare)} % CPU stolen by other machines` : ''
}

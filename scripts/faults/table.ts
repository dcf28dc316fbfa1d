import type { Report } from './load.ts'
import type { World } from './world.ts'

export type Scenario = (world: World, seconds: number) => Promise<Row>

export interface Row {
  fault: string
  load: string
  report?: Report
  /** Seconds from when it was mended until everything was answered again; the longest of several. */
  recovery?: number | undefined
  /** What else was seen. */
  seen?: string
  isGood: boolean
}

export function printHead(): void {
  console.log('| fault | load | requests | acknowledged | lost | failed after a retry | recovery s | seen | |')
  console.log('|---|---|---:|---:|---:|---:|---:|---|---|')
}

/** `withheld` is the share of the processors that the machine did not get. */
export function printRow({ fault, load, report, recovery, seen = '', isGood }: Row, withheld: number): void {
  const cells = report
    ? [report.requests, report.acknowledged, report.lost, `${report.errors} (${share(report)})`]
    : ['', '', '', '']
  const others = [
    recovery === undefined ? '' : recovery.toFixed(1),
    [seen, jobs(report), statuses(report), noise(withheld)].filter(Boolean).join('; '),
  ]
  console.log(`| ${[fault, load, ...cells, ...others, isGood ? 'good' : '**not good**'].join(' | ')} |`)
}

function share({ errors, requests }: Report): string {
  return `${((100 * errors) / Math.max(1, requests)).toFixed(2)} %`
}

function jobs(report: Report | undefined): string {
  if (!report?.jobs) return ''
  return `${report.jobs} articles accepted${report.failedJobs > 0 ? `, ${report.failedJobs} came to nothing` : ''}`
}

function statuses(report: Report | undefined): string {
  const counts = Object.entries(report?.statuses ?? {}).map(([status, count]) => `${count} × ${status}`)
  return counts.length > 0 ? `first tries: ${counts.join(', ')}` : ''
}

function noise(withheld: number): string {
  return withheld >= 0.02 ? `${Math.round(100 * withheld)} % of the processors went to others` : ''
}

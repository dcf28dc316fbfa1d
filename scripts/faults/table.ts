import type { Report } from './load.ts'

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

export function printRow({ fault, load, report, recovery, seen = '', isGood }: Row): void {
  const cells = report
    ? [report.requests, report.acknowledged, report.lost, `${report.errors} (${share(report)})`]
    : ['', '', '', '']
  const others = [
    recovery === undefined ? '' : recovery.toFixed(1),
    [seen, statuses(report)].filter(Boolean).join('; '),
  ]
  console.log(`| ${[fault, load, ...cells, ...others, isGood ? 'good' : '**not good**'].join(' | ')} |`)
}

function share({ errors, requests }: Report): string {
  return `${((100 * errors) / Math.max(1, requests)).toFixed(2)} %`
}

function statuses(report: Report | undefined): string {
  const counts = Object.entries(report?.statuses ?? {}).map(([status, count]) => `${count} × ${status}`)
  return counts.length > 0 ? `first tries: ${counts.join(', ')}` : ''
}

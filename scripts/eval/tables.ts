import { type Metrics, sum } from './measure.ts'
import type { PairVerdict, Tally } from './tally.ts'
import { CRITERIA } from './verdict.ts'

const HEAD =
  'pull request | citations | quotes | dropped | calls | tokens in | out | prose / budget | longest sentence | lines read | seconds'

/** Prints the metrics of each article, and of all together. */
export function printMetrics(articles: { pullRequest: string; metrics: Metrics }[]): void {
  if (articles.length === 0) return
  console.log(['', `| ${HEAD} |`, `|---|${'---:|'.repeat(HEAD.split('|').length - 1)}`].join('\n'))
  for (const { pullRequest, metrics } of articles) console.log(row([pullRequest, ...cellsOf(metrics)]))
  const all = articles.map(({ metrics }) => metrics)
  if (all.length > 1) console.log(row(['all', ...cellsOf(added(all))]))
}

function cellsOf(metrics: Metrics): (string | number)[] {
  const { proseCharacters, proseBudget, longestSentenceCharacters, seconds } = metrics
  const { citations, quotes, claimsDropped, calls, inputTokens, outputTokens } = metrics
  return [
    ...[citations, quotes, claimsDropped, calls, inputTokens, outputTokens],
    `${proseCharacters} / ${proseBudget}`,
    longestSentenceCharacters,
    shareRead(metrics),
    seconds.toFixed(1),
  ]
}

/**
 * The share of changed lines that were read. If some files were read only in part, a range: from none to all lines of
 * these files.
 */
function shareRead({ changedLines, linesRead, linesOfPartlyReadFiles }: Metrics): string {
  if (changedLines === 0) return '–'
  const low = percent(linesRead / changedLines)
  return linesOfPartlyReadFiles === 0
    ? low
    : `${low} to ${percent((linesRead + linesOfPartlyReadFiles) / changedLines)}`
}

function added(all: Metrics[]): Metrics {
  const longest = all.toSorted((a, b) => b.longestSentenceCharacters - a.longestSentenceCharacters)[0]
  const names = Object.keys(longest ?? {}) as (keyof Metrics)[]
  const sums = names.map((name) => [name, sum(all.map((metrics) => Number(metrics[name])))])
  return {
    ...Object.fromEntries(sums),
    longestSentenceCharacters: longest?.longestSentenceCharacters,
    longestSentence: longest?.longestSentence,
  }
}

/** Prints the result of each pair, then wins, losses and ties by criterion. */
export function printVerdicts(pairs: PairVerdict[], tally: Tally): void {
  console.log(['', row(['pull request', ...CRITERIA]), `|${'---|'.repeat(CRITERIA.length + 1)}`].join('\n'))
  for (const { pullRequest, results } of pairs)
    console.log(row([pullRequest, ...CRITERIA.map((criterion) => results[criterion])]))
  const head = ['criterion', 'wins', 'losses', 'ties', 'of them by order', 'preference', '95 % interval']
  console.log(['', row(head), `|---|${'---:|'.repeat(head.length - 1)}`].join('\n'))
  for (const criterion of CRITERIA) {
    const { wins, losses, ties, byOrder, preference, interval } = tally[criterion]
    const range = interval.map(percent).join(' to ')
    console.log(row([criterion, wins, losses, ties, byOrder, percent(preference), range]))
  }
}

function row(cells: (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

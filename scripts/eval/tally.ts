import { CRITERIA, type Criterion, type Verdict } from './verdict.ts'

export type Winner = 'new' | 'old' | 'tie'

/** The verdicts about one pull request: the new text as A, then as B. */
export interface PairVerdict {
  pullRequest: string
  newAsA: Verdict
  newAsB: Verdict
  results: Record<Criterion, Winner>
}

export type Tally = ReturnType<typeof tallyOf>

/** The normal quantile of a two-sided 95 % interval. */
const Z = 1.96

/** The winner by each criterion. A text must win in both orders; otherwise it is a tie. */
export function pairVerdict(pullRequest: string, newAsA: Verdict, newAsB: Verdict): PairVerdict {
  const results = byCriterion((criterion) => {
    const [first, second] = winnersOf({ newAsA, newAsB }, criterion)
    return first === second ? first : 'tie'
  })
  return { pullRequest, newAsA, newAsB, results }
}

function winnersOf({ newAsA, newAsB }: Pick<PairVerdict, 'newAsA' | 'newAsB'>, criterion: Criterion): [Winner, Winner] {
  return [
    ({ A: 'new', B: 'old', tie: 'tie' } as const)[newAsA[criterion]],
    ({ A: 'old', B: 'new', tie: 'tie' } as const)[newAsB[criterion]],
  ]
}

export function tallyOf(pairs: PairVerdict[]) {
  return byCriterion((criterion) => {
    const count = (winner: Winner) => pairs.filter(({ results }) => results[criterion] === winner).length
    const winners = pairs.map((pair) => winnersOf(pair, criterion))
    const wins = count('new')
    return {
      wins,
      losses: count('old'),
      ties: count('tie'),
      /** Ties because the two orders disagree. */
      byOrder: winners.filter(([first, second]) => first !== second).length,
      /** How many verdicts prefer the new text. Each pair has two verdicts. */
      verdictsForNew: winners.flat().filter((winner) => winner === 'new').length,
      preference: pairs.length === 0 ? 0 : wins / pairs.length,
      interval: wilsonInterval(wins, pairs.length),
    }
  })
}

function byCriterion<T>(of: (criterion: Criterion) => T): Record<Criterion, T> {
  return Object.fromEntries(CRITERIA.map((criterion) => [criterion, of(criterion)])) as Record<Criterion, T>
}

/** Wilson's 95 % interval of a share; it holds for small numbers too. */
export function wilsonInterval(wins: number, all: number): [low: number, high: number] {
  if (all === 0) return [0, 1]
  const share = wins / all
  const middle = share + Z ** 2 / (2 * all)
  const margin = Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2))
  const scale = 1 + Z ** 2 / all
  return [Math.max(0, (middle - margin) / scale), Math.min(1, (middle + margin) / scale)]
}

/** The claims of the new or the old texts that the judge calls false, in either order. */
export function falseClaimsIn(side: 'new' | 'old', pairs: PairVerdict[]) {
  return pairs.flatMap(({ pullRequest, newAsA, newAsB }) => {
    const named = [
      ...newAsA.falseClaims.filter(({ article }) => article === (side === 'new' ? 'A' : 'B')),
      ...newAsB.falseClaims.filter(({ article }) => article === (side === 'new' ? 'B' : 'A')),
    ]
    return named.map(({ claim, contradiction }) => ({ pullRequest, claim, contradiction }))
  })
}

import type { Schemas } from '../demo/api.ts'
import type { Content } from './articleMarkdown.ts'
import { charactersIn, longestSentence, proseBudget, proseOf } from './prose.ts'

export type Metrics = ReturnType<typeof measure>

interface Written {
  content: Content
  language: string
  pull: Schemas['PullRequest']
}

type CoveredFile = Schemas['CoveredFile']

export function measure({ content, language, pull }: Written) {
  const { calls, inputTokens, outputTokens, milliseconds } = content.generator
  const lines = changedLines(pull, content.coverage.files)
  const prose = proseOf(content)
  const sentence = longestSentence(prose, language)
  const figures = content.mainChanges.flatMap((change) => change.figures)
  const figuresOf = (kind: Schemas['Figure']['kind']) => figures.filter((figure) => figure.kind === kind).length
  return {
    citations: evidenceOf(content).length,
    quotes: content.reasons.flatMap(({ sources }) => sources).length + content.mismatches.length,
    claimsDropped: content.coverage.claimsDropped,
    codeFigures: figuresOf('code'),
    examples: figuresOf('example'),
    tables: figuresOf('table'),
    calls,
    inputTokens,
    outputTokens,
    proseCharacters: sum(prose.map(charactersIn)),
    proseBudget: proseBudget(lines.ofText, language),
    longestSentenceCharacters: charactersIn(sentence),
    longestSentence: sentence,
    changedLines: lines.all,
    linesRead: lines.read,
    linesOfPartlyReadFiles: lines.partlyRead,
    seconds: Math.round(milliseconds / 100) / 10,
  }
}

/** Every citation that the service accepted, in the order of reading. */
export function evidenceOf({ lead, impact, reasons, mainChanges, notablePoints, mismatches }: Content) {
  return [lead, impact, ...reasons, ...mainChanges, ...notablePoints, ...mismatches].flatMap(
    (claim) => claim?.evidence ?? [],
  )
}

function changedLines(pull: Schemas['PullRequest'], covered: CoveredFile[]) {
  const coveredBy = new Map(covered.map((file) => [file.path, file]))
  const linesIn = (isCounted: (file: CoveredFile | undefined) => boolean) =>
    sum(
      pull.files
        .filter(({ path }) => isCounted(coveredBy.get(path)))
        .map(({ additions, deletions }) => additions + deletions),
    )
  // The code host may count files that it does not list.
  const all = Math.max(
    pull.additions + pull.deletions,
    linesIn(() => true),
  )
  const noise = linesIn((file) => file !== undefined && isNeverRead(file))
  return {
    all,
    /**
     * Changed lines outside lock files and the like, which do not count as size. If there are none, all changed lines.
     */
    ofText: all - noise || all,
    read: linesIn((file) => file?.state === 'read'),
    partlyRead: linesIn((file) => file?.state === 'partlyRead'),
  }
}

/** Whether a file was skipped because files of its kind are never read. */
export function isNeverRead({ state, kind, reason }: CoveredFile): boolean {
  return state === 'skipped' && reason === kind
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

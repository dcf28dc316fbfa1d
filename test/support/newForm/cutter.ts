import { createHash } from 'node:crypto'
import type { components } from '../../../generated/api.ts'
import type { FakeFile } from '../../../scripts/fakeHost/fakeRepository.ts'
import type { StoredContent } from '../../../src/writer/content.ts'
import { hunksOf, type Side } from '../../../src/writer/reading/hunks.ts'

type Change = StoredContent['mainChanges'][number]
type Evidence = Change['evidence'][number]
type Figure = Change['figures'][number]
type CodeSide = components['schemas']['CodeSide']
/** A line, given by the beginning of its text, or a range, given by its first and last lines. */
type Place = string | [first: string, last: string]

export type Cutter = ReturnType<typeof cutterOf>

/** A file with one hunk. The line counts in the hunk header are computed from `body`. */
export function fileWith(filename: string, start: number, heading: string, body: string): FakeFile {
  const lines = body.replace(/^\n/, '').replace(/\n$/, '').split('\n')
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  const [added, removed] = [count('+'), count('-')]
  const kept = lines.length - added - removed
  const from = removed + kept === 0 ? 0 : start
  return {
    ...{ filename, additions: added, deletions: removed, status: from === 0 ? 'added' : 'modified' },
    patch: `@@ -${from},${removed + kept} +${start},${added + kept} @@ ${heading}\n${lines.join('\n')}`,
  }
}

/** Cites lines of a pull request and cuts code figures from it. */
export function cutterOf(files: FakeFile[], { hostPrUrl, headSha }: { hostPrUrl: string; headSha: string }) {
  const linesOf = (path: string, side: Side) => {
    const { patch = '' } = files.find((file) => file.filename === path) ?? {}
    return hunksOf(patch).flatMap(({ lines }) =>
      lines.flatMap((line) => {
        const number = line[side]
        return number === null ? [] : [{ number, text: line.text }]
      }),
    )
  }
  const urlOf = (path: string, side: Side, start: number, end: number) => {
    const letter = side === 'old' ? 'L' : 'R'
    const hash = createHash('sha256').update(path).digest('hex')
    return `${hostPrUrl}/files/${headSha}#diff-${hash}${letter}${start}${end === start ? '' : `-${letter}${end}`}`
  }
  const rangeOf = (path: string, side: Side, place: Place) => {
    const lines = linesOf(path, side)
    const [first, last] = typeof place === 'string' ? [place, place] : place
    const at = (text: string, from = 0) => lines.findIndex((line, i) => i >= from && line.text.trim().startsWith(text))
    const start = at(first)
    const end = at(last, start)
    if (start < 0 || end < 0) throw new Error(`${path} has no ${side} lines ${first} … ${last}`)
    return lines.slice(start, end + 1)
  }
  return {
    cite(path: string, side: Side, place: Place): Evidence {
      const lines = rangeOf(path, side, place)
      const [startLine, endLine] = [lines[0]?.number ?? 0, lines.at(-1)?.number ?? 0]
      return { path, side, startLine, endLine, url: urlOf(path, side, startLine, endLine) }
    },
    code(caption: string, sides: { path: string; before?: Place[]; after?: Place[] }): Figure {
      const side = (name: Side, places: Place[] | undefined): CodeSide | null => {
        if (!places) return null
        const parts = places.map((place) => rangeOf(sides.path, name, place))
        const ranges = parts.map((part) => ({ startLine: part[0]?.number ?? 0, endLine: part.at(-1)?.number ?? 0 }))
        const [{ startLine, endLine } = { startLine: 1, endLine: 1 }] = ranges
        return { path: sides.path, ranges, lines: parts.flat(), url: urlOf(sides.path, name, startLine, endLine) }
      }
      return { kind: 'code', before: side('old', sides.before), after: side('new', sides.after), caption }
    },
    example: (codeLanguage: string, text: string, note: string): Figure => ({
      kind: 'example',
      codeLanguage,
      text,
      note,
    }),
    table: (caption: string, columns: string[], rows: string[][]): Figure => ({
      kind: 'table',
      caption,
      columns,
      rows,
    }),
    hostPrUrl,
  }
}

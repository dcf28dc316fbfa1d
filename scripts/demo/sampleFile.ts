import { createHash } from 'node:crypto'

/** A changed file as the sample host lists it, with its section of the diff. */
export interface SampleFile {
  filename: string
  previous_filename?: string
  status: 'added' | 'modified' | 'renamed'
  sha: string
  additions: number
  deletions: number
  /** The hunks, as the code host gives them for one file; absent where there are no lines. */
  patch?: string
  section: string
}

const HUNK = /^@@ (\d+)(?: (.*))?$/

/**
 * Hunks are written as `@@ 12 function around it` with the line they begin at before the change, then their lines.
 * Counts, the line after the change and all headers follow from those, so that they cannot be wrong.
 */
export function modified(path: string, hunks: string): SampleFile {
  return { filename: path, status: 'modified', ...changeOf({ path, hunks }) }
}

export function added(path: string, text: string): SampleFile {
  const hunks = `@@ 0\n${rowsOf(text)
    .map((row) => `+${row}`)
    .join('\n')}`
  return { filename: path, status: 'added', ...changeOf({ path, hunks, header: ['new file mode 100644'] }) }
}

/** Moved, and changed where there are hunks. */
export function renamed(from: string, path: string, similarity: number, hunks = ''): SampleFile {
  const header = [`similarity index ${similarity}%`, `rename from ${from}`, `rename to ${path}`]
  return { filename: path, previous_filename: from, status: 'renamed', ...changeOf({ path, from, hunks, header }) }
}

export function addedBinary(path: string): SampleFile {
  const sha = shaOf(`binary ${path}`)
  const section = linesOf([
    `diff --git a/${path} b/${path}`,
    'new file mode 100644',
    `index 0000000..${sha.slice(0, 7)}`,
    `Binary files /dev/null and b/${path} differ`,
  ])
  return { filename: path, status: 'added', sha, additions: 0, deletions: 0, section }
}

export function shaOf(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}

interface Change {
  path: string
  from?: string
  hunks: string
  header?: string[]
}

function changeOf({ path, from = path, hunks, header = [] }: Change) {
  const rows = rowsOf(hunks)
  const isNew = header[0]?.startsWith('new file') ?? false
  const sha = shaOf(`${path} ${hunks}`)
  const former = isNew ? '0000000' : shaOf(`former ${from}`).slice(0, 7)
  const patch = hunks === '' ? undefined : patchOf(path, rows)
  const section = [`diff --git a/${from} b/${path}`, ...header]
  if (patch !== undefined) {
    section.push(`index ${former}..${sha.slice(0, 7)}${isNew ? '' : ' 100644'}`)
    section.push(isNew ? '--- /dev/null' : `--- a/${from}`, `+++ b/${path}`, patch)
  }
  return {
    sha,
    additions: countOf(rows, '+'),
    deletions: countOf(rows, '-'),
    ...(patch !== undefined && { patch }),
    section: linesOf(section),
  }
}

function patchOf(path: string, rows: string[]): string {
  let shift = 0
  let free = 0
  const texts = hunksOf(path, rows).map(({ start, heading, lines }) => {
    if (start < free) throw new Error(`The sample's hunks of ${path} overlap at line ${start}.`)
    const before = lines.length - countOf(lines, '+')
    const after = lines.length - countOf(lines, '-')
    // A side without lines is placed at the line before it, which for a new file is line 0.
    const place = start + shift + (before === 0 ? 1 : 0)
    free = start + before
    shift += after - before
    return [`@@ -${range(start, before)} +${range(place, after)} @@${heading && ` ${heading}`}`, ...lines].join('\n')
  })
  return texts.join('\n')
}

function hunksOf(path: string, rows: string[]) {
  const hunks: { start: number; heading: string; lines: string[] }[] = []
  for (const row of rows) {
    const [header, start, heading = ''] = HUNK.exec(row) ?? []
    if (header) hunks.push({ start: Number(start), heading, lines: [] })
    // An editor may have taken the blank of an empty line away.
    else if (/^([ +-]|$)/.test(row)) hunks.at(-1)?.lines.push(row || ' ')
    else throw new Error(`The sample's change of ${path} has a line that is neither kept, added nor removed: ${row}`)
  }
  return hunks
}

function range(start: number, count: number): string {
  return count === 1 ? String(start) : `${start},${count}`
}

/** Without the line breaks that let the text begin and end on lines of their own. */
function rowsOf(text: string): string[] {
  return text.replace(/^\n|\n$/g, '').split('\n')
}

function countOf(rows: string[], sign: '+' | '-'): number {
  return rows.filter((row) => row.startsWith(sign)).length
}

function linesOf(rows: string[]): string {
  return `${rows.join('\n')}\n`
}

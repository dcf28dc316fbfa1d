import { createHash } from 'node:crypto'

/** A changed file with its section of the diff. */
export interface SampleFile {
  filename: string
  previous_filename?: string
  status: 'added' | 'modified' | 'renamed'
  sha: string
  additions: number
  deletions: number
  /** The hunks, as the code host returns them for one file; absent if there are no lines. */
  patch?: string
  section: string
}

const HUNK = /^@@ (\d+)(?: (.*))?$/

/**
 * A hunk is written as `@@ 12 function around it`, with its start line before the change, followed by its lines.
 * Counts, the new start line and all headers are computed, so that they cannot be wrong.
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

/** Renamed, and changed if there are hunks. */
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
  const oldSha = isNew ? '0000000' : shaOf(`former ${from}`).slice(0, 7)
  const patch = hunks === '' ? undefined : patchOf(path, rows)
  const section = [`diff --git a/${from} b/${path}`, ...header]
  if (patch !== undefined) {
    section.push(`index ${oldSha}..${sha.slice(0, 7)}${isNew ? '' : ' 100644'}`)
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
    if (start < free) throw new Error(`Sample hunks of ${path} overlap at line ${start}.`)
    const before = lines.length - countOf(lines, '+')
    const after = lines.length - countOf(lines, '-')
    // Git places an empty side at the line before it, which is line 0 for a new file.
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
    // Editors may strip the space of an empty line.
    else if (/^([ +-]|$)/.test(row)) hunks.at(-1)?.lines.push(row || ' ')
    else throw new Error(`Invalid diff line in the sample ${path}: ${row}`)
  }
  return hunks
}

function range(start: number, count: number): string {
  return count === 1 ? String(start) : `${start},${count}`
}

/** Strips the line breaks at the start and end of a template literal. */
function rowsOf(text: string): string[] {
  return text.replace(/^\n|\n$/g, '').split('\n')
}

function countOf(rows: string[], sign: '+' | '-'): number {
  return rows.filter((row) => row.startsWith(sign)).length
}

function linesOf(rows: string[]): string {
  return `${rows.join('\n')}\n`
}

import type { Run } from './citations.ts'
import { capital, counted, files, KINDS, number } from './englishCounts.ts'
import { ENGLISH_SUMMARY } from './englishSummary.ts'
import type { ChangeKind, Extent, Facts, Group, Words } from './words.ts'

const FINDINGS: Record<ChangeKind, string> = {
  definitionsAdded: 'Definitions added',
  definitionsRemoved: 'Definitions removed',
  definitionsChanged: 'Definitions whose own line changed',
  testsAdded: 'Test cases added',
  testsRemoved: 'Test cases removed',
  testsChanged: 'Test cases whose own line changed',
  sectionsAdded: 'Headings added',
  sectionsRemoved: 'Headings removed',
  sectionsChanged: 'Headings moved or marked up anew',
  places: 'The changes are near',
}

const GROUPS: Record<Group, (count: number) => string> = {
  security: (count) => `Touches ${files(count)} whose path speaks of authentication, sessions, secrets or the like`,
  migrations: (count) => `${capital(files(count))} among the migrations changed`,
  manifests: (count) => `${capital(files(count))} in which dependencies are declared changed`,
  workflows: (count) => `${capital(files(count))} of the continuous integration changed`,
  removed: (count) => `${capital(files(count))} ${count === 1 ? 'was' : 'were'} removed`,
  renamed: (count) => `${capital(files(count))} ${count === 1 ? 'was' : 'were'} renamed or moved`,
}

function size({ additions, deletions }: { additions: number; deletions: number }): string {
  if (deletions === 0) return `${counted(additions, 'line')} added`
  if (additions === 0) return `${counted(deletions, 'line')} removed`
  return `${counted(additions, 'line')} added, ${number.format(deletions)} removed`
}

function extent(file: Extent): string {
  const hasLines = file.additions + file.deletions > 0
  const places = file.places > 1 ? ` in ${number.format(file.places)} places` : ''
  const lines = hasLines ? `${size(file)}${places}` : ''
  return [`${statusOf(file, lines)}.`, patchNote(file)].filter(Boolean).join(' ')
}

function statusOf({ status, formerPath, additions, deletions, patch }: Extent, lines: string): string {
  const origin = formerPath && ` from ${formerPath}`
  if (status === 'added') return additions > 0 ? `New file of ${counted(additions, 'line')}` : 'New file'
  if (status === 'removed') return deletions > 0 ? `File of ${counted(deletions, 'line')} removed` : 'File removed'
  if (status === 'renamed')
    return `Renamed${origin}${lines ? `; ${lines}` : patch === 'none' ? ', otherwise unchanged' : ''}`
  if (status === 'copied') return `Copied${origin}${lines ? `; ${lines}` : ''}`
  if (lines) return capital(lines)
  return patch === 'none' ? 'Changed, but not in its lines' : 'Changed'
}

function patchNote({ patch }: Extent): string {
  if (patch === 'binary') return 'It is a binary file, of which no lines can be shown.'
  if (patch === 'partial') return 'Only a part of its diff was at hand.'
  return patch === 'tooLarge' || patch === 'leftOut' ? 'Its diff was not at hand.' : ''
}

function facts({ files: count, additions, deletions, kinds, filesLeftOut, patchesLeftOut }: Facts): string {
  const byKind = kinds
    .map(([kind, of]) => (kinds.length > 1 ? `${KINDS[kind]} ${number.format(of)}` : KINDS[kind]))
    .join(', ')
  const missing = [
    filesLeftOut > 0 ? ` Of these, ${files(filesLeftOut)} could not be listed.` : '',
    patchesLeftOut > 0 ? ` The diff of ${files(patchesLeftOut)} was not at hand or not whole.` : '',
  ]
  const changes = additions + deletions > 0 ? `: ${size({ additions, deletions })}` : ''
  return `The pull request changes ${files(count)}${byKind && ` (${byKind})`}${changes}.${missing.join('')}`
}

function linesOf({ sign, first, last }: Run): string {
  const lines = first === last ? `line ${first}` : `lines ${first}–${last}`
  return sign === '-' ? `${lines} of the former version` : lines
}

export const ENGLISH: Words = {
  ...ENGLISH_SUMMARY,
  untitled: 'Untitled pull request',
  headline: (scope, isBreaking, text) =>
    isBreaking ? `Breaking${scope ? ` (${scope})` : ''}: ${text}` : `${scope ? `${scope}: ` : ''}${text}`,
  quote: (text) => `“${text.replaceAll('“', '‘').replaceAll('”', '’')}”`,
  explains: {
    description: 'The author writes:',
    messages: 'The commit messages say:',
    subjects: 'The commits are headed:',
  },
  list: (names, more) => (more > 0 ? `${names.join(', ')} and ${number.format(more)} more` : names.join(', ')),
  sentences: (sentences) => sentences.join(' '),
  facts,
  extent,
  finding: (finding, names) => `${FINDINGS[finding]}${finding === 'places' ? '' : ':'} ${names}.`,
  biggest: (run, place) => `The biggest of them is at ${linesOf(run)}${place && `, near ${place}`}.`,
  replaced: (before, after) => `${before} became ${after}.`,
  lineAdded: (line) => `Added: ${line}.`,
  lineRemoved: (line) => `Removed: ${line}.`,
  breaking: (note) => `The author marks this as a breaking change${note ? `: ${note}` : '.'}`,
  group: (group, count, names) => `${GROUPS[group](count)}: ${names}.`,
  renaming: (from, to) => `${from} to ${to}`,
  untested: (count, names) =>
    `No test file changed, while ${files(count)} of source gained lines: ${names}. Whether existing tests cover them cannot be told from the diff.`,
  largeDeletion: (deletions, additions, names) =>
    `Much is removed from files that stay: ${counted(deletions, 'line')}, against ${number.format(additions)} added; most of it in ${names}.`,
  leftToDo: (count, isAll, line) =>
    count === 1 && isAll
      ? `A line with a \`TODO\` or \`FIXME\` was added: ${line}.`
      : `${isAll ? '' : 'At least '}${counted(count, 'line')} with \`TODO\` or \`FIXME\` added, the first of them ${line}.`,
}

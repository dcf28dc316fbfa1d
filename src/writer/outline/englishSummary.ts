import type { CommitType, Declaration } from '../facts/conventional.ts'
import type { FileKind } from '../reading/kinds.ts'
import { capital, counted, files as filesOf, joined, KINDS, number } from './englishCounts.ts'
import type { KindWithoutEffect, LeadFacts, SummaryWords } from './summaryWords.ts'

const FILES: Record<FileKind, string> = {
  source: 'source file',
  test: 'test file',
  docs: 'document',
  configuration: 'configuration file',
  generated: 'generated file',
  lockFile: 'lock file',
  vendored: 'vendored file',
  minified: 'minified file',
  snapshot: 'snapshot',
  binary: 'binary file',
}

const TYPES: Record<CommitType, string> = {
  feat: 'a new feature',
  fix: 'a fix',
  docs: 'a change of the documentation',
  test: 'a change of the tests',
  perf: 'a performance improvement',
  refactor: 'a refactoring',
  build: 'a change of the build',
  ci: 'a change of the continuous integration',
  chore: 'a chore',
  style: 'a change of style',
  revert: 'a revert',
}

const DID = { added: 'Adds', removed: 'Removes', changed: 'Changes' }

function typeOf({ type }: Declaration): string {
  return `${TYPES[type]} (\`${type}\`)`
}

function marked({ type, by }: Declaration): string {
  return `${by === 'title' ? 'The author marks it' : 'The commits are marked'} \`${type}\``
}

function kindOfChange({ declaration, isBreaking, kinds }: LeadFacts): string {
  if (declaration?.by === 'title')
    return `The author marks this pull request as ${typeOf(declaration)}${isBreaking ? ' and as a breaking change' : ''}.`
  const breaking = isBreaking ? ', and its author marks it as a breaking change' : ''
  if (declaration) return `The commits of this pull request declare ${typeOf(declaration)}${breaking}.`
  const only = kinds.length === 1 ? 'only ' : ''
  return `This pull request changes ${only}${joined(kinds.map((kind) => KINDS[kind]))}${breaking}.`
}

function sizeAndPlace({ files, additions, deletions, place }: LeadFacts): string {
  const lines = [
    additions > 0 ? `adds ${counted(additions, 'line')}` : '',
    deletions > 0 ? `removes ${additions > 0 ? number.format(deletions) : counted(deletions, 'line')}` : '',
  ].filter(Boolean)
  const did = lines.length > 0 ? `It ${lines.join(' and ')} in` : 'It changes'
  if (place?.in === 'file') return `${did} ${place.path}.`
  const size = `${did} ${filesOf(files)}`
  if (!place) return `${size}.`
  if (place.in === 'folder') return `${size}, all under ${place.path}.`
  if (place.in === 'mostChanged') return `${size}; the most changed ${FILES[place.kind]} is ${place.path}.`
  const folders = place.folders.map(({ path, files: count }) => `${path} (${number.format(count)})`)
  return folders.length === 1
    ? `${size}; the folder with the most of them is ${folders[0]}.`
    : `${size}; the folders with the most of them are ${joined(folders)}.`
}

/** Names the people whom a change affects if it changes only files of these kinds. */
function affectedBy(kinds: KindWithoutEffect[]): string {
  const readers = kinds.includes('docs') ? ['readers of the documentation'] : []
  const developers = kinds.some((kind) => kind !== 'docs') ? ['developers of the project'] : []
  return capital(joined([...developers, ...readers]))
}

export const ENGLISH_SUMMARY: SummaryWords = {
  maxLead: 480,
  maxHeading: 130,
  maxName: 60,
  lead: (facts) => `${kindOfChange(facts)} ${sizeAndPlace(facts)}`,
  impact: {
    breaking: 'The author marks it as a breaking change.',
    readFirst: 'Read the pull request before updating: its author does not say what to change.',
    declared: (declaration) => `${marked(declaration)}. Compatibility itself was not checked.`,
    none: (kinds, declaration) => {
      const only = `only ${joined(kinds.map((kind) => KINDS[kind]))} changed`
      const isDeclared = kinds.includes('configuration') && declaration
      return {
        affected: affectedBy(kinds),
        reason: isDeclared ? `${marked(declaration)}, and ${only}.` : `${capital(only)}.`,
      }
    },
    usersOfScope: (scope) => `Users of ${scope}, which the author names as the scope`,
    usersOfFiles: (path, others) =>
      `Users of what changed in ${path}${others > 0 ? ` and ${counted(others, 'other file')}` : ''}`,
  },
  heading: {
    file: (did, kind, name) => `${DID[did]} the ${FILES[kind]} ${name}`,
    renamed: (from, to) => `Renames ${from} to ${to}`,
    moved: (name, folder) => `Moves ${name} to ${folder}`,
    names: (added, removed, within) => {
      if (!added) return `Removes ${removed}`
      return `Adds ${added}${within && ` to ${within}`}${removed && `; removes ${removed}`}`
    },
    changed: (names) => `Changes ${names}`,
    single: { tests: (name) => `Adds the test case ${name}`, sections: (name) => `Adds the section ${name}` },
    counted: {
      tests: (count, fileName) => `Adds ${counted(count, 'test case')} to ${fileName}`,
      sections: (count, fileName) => `Adds ${counted(count, 'section')} to ${fileName}`,
    },
  },
}

import type { HostFile } from '../../host/pullRequestParts.ts'
import { splitDiff } from '../../writer/facts/splitDiff.ts'

export type PatchKind = 'text' | 'partial' | 'none' | 'binary' | 'tooLarge' | 'leftOut'

/** The diff section of a file, and how much of the change it holds. */
export interface Section {
  text: string
  patch: PatchKind
}

/** A file as listed by the code host, without its patch if that exceeds our bounds. */
export type KeptFile = HostFile & { patchLeftOut: boolean }

export const MAX_PATCH_CHARACTERS = 1_000_000
export const MAX_DIFF_CHARACTERS = 10_000_000
const EMPTY_BLOBS = [
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]

/** One section per file, in order: from the code host's diff if it matches the files, otherwise built from patches. */
export function sectionsOf(files: KeptFile[], hostDiff: string | null): Section[] {
  const hostSections = hostDiff === null ? null : splitHostDiff(files, hostDiff)
  return bounded(hostSections ?? files.map(sectionFromPatch))
}

function splitHostDiff(files: KeptFile[], diff: string): Section[] | null {
  const texts = splitDiff(diff)
  const fits = texts.length === files.length && files.every((file, i) => isHeadedBy(texts[i] ?? '', file))
  return fits ? texts.map((text, i) => ({ text, patch: kindOf(text, files[i]) })) : null
}

function isHeadedBy(section: string, { path, previousPath }: HostFile): boolean {
  const oldPath = previousPath ?? path
  return (
    section.startsWith(`diff --git a/${oldPath} b/${path}\n`) ||
    section.startsWith(`diff --git ${quoted(`a/${oldPath}`)} ${quoted(`b/${path}`)}\n`)
  )
}

function kindOf(section: string, file: KeptFile | undefined): PatchKind {
  if (section.includes('\n@@ ')) return file && hasLinesOf(section, file) ? 'text' : 'partial'
  if (/\n(Binary files |GIT binary patch)/.test(section)) return 'binary'
  return file && file.additions + file.deletions > 0 ? 'tooLarge' : 'none'
}

/** Whether the section has at least as many changed lines as the code host counts. */
function hasLinesOf(section: string, { additions, deletions }: KeptFile): boolean {
  let added = 0
  let removed = 0
  for (let at = section.indexOf('\n@@ '); at !== -1; at = section.indexOf('\n', at + 1)) {
    if (section[at + 1] === '+') added += 1
    if (section[at + 1] === '-') removed += 1
  }
  return added >= additions && removed >= deletions
}

function sectionFromPatch(file: KeptFile): Section {
  const patch = kindWithoutDiff(file)
  const sides = { from: quoted(`a/${file.previousPath ?? file.path}`), to: quoted(`b/${file.path}`) }
  const lines = [`diff --git ${sides.from} ${sides.to}`, ...extendedHeader(file)]
  const before = file.status === 'added' ? '/dev/null' : sides.from
  const after = file.status === 'removed' ? '/dev/null' : sides.to
  if (patch === 'binary') lines.push(`Binary files ${before} and ${after} differ`)
  if (patch === 'text') lines.push(`--- ${before}`, `+++ ${after}`, file.patch ?? '')
  const text = `${lines.join('\n')}\n`
  return { text, patch: patch === 'text' ? kindOf(text, file) : patch }
}

function extendedHeader({ status, path, previousPath }: HostFile): string[] {
  if (status === 'added') return ['new file mode 100644']
  if (status === 'removed') return ['deleted file mode 100644']
  if (previousPath === null || (status !== 'renamed' && status !== 'copied')) return []
  const verb = status === 'renamed' ? 'rename' : 'copy'
  return [`${verb} from ${quoted(previousPath)}`, `${verb} to ${quoted(path)}`]
}

/** Used if the diff of the pull request is unavailable: infers the kind of a file's patch from the file's own data. */
function kindWithoutDiff(file: KeptFile): PatchKind {
  if (file.patchLeftOut) return 'leftOut'
  if (file.patch !== null) return 'text'
  if (file.additions + file.deletions > 0) return 'tooLarge'
  const contentIsKept = !['added', 'removed', 'modified'].includes(file.status)
  return contentIsKept || EMPTY_BLOBS.includes(file.blobSha ?? '') ? 'none' : 'binary'
}

function bounded(sections: Section[]): Section[] {
  let characters = 0
  return sections.map((section) => {
    const fits = section.text.length <= MAX_PATCH_CHARACTERS && characters + section.text.length <= MAX_DIFF_CHARACTERS
    const part = fits ? section : headerOf(section)
    characters += part.text.length
    return part
  })
}

function headerOf({ text, patch }: Section): Section {
  const header = text.slice(0, text.search(/\n(@@ |GIT binary patch)|$/) + 1)
  return { text: header, patch: patch === 'text' || patch === 'partial' ? 'leftOut' : patch }
}

const NAMED_ESCAPES: Record<number, string> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
}

/** A path as git writes it: quoted and escaped byte by byte unless all characters are printable ASCII. */
function quoted(path: string): string {
  if (/^[ !#-[\]-~]*$/.test(path)) return path
  const escaped = [...Buffer.from(path)].map((byte) => {
    const plain = byte >= 32 && byte < 127
    return NAMED_ESCAPES[byte] ?? (plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`)
  })
  return `"${escaped.join('')}"`
}

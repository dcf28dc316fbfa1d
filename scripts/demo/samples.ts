import { readFileSync } from 'node:fs'
import type { FakeFile, FakePull, FakeRepository } from '../fakeHost/fakeRepository.ts'

interface SampleRepository extends FakeRepository {
  pulls: FakePull[]
}

/**
 * Invented projects and people, in the order they are shown: `<name>.json` is a repository with its pull requests,
 * `<name>-<number>.diff` the output of `git diff` for one of them.
 */
export const samples = ['sluice', 'turnstile', 'almanac', 'lantern', 'atlas'].map(readSample)

function readSample(name: string): SampleRepository {
  const repository: SampleRepository = JSON.parse(read(`${name}.json`))
  for (const pull of repository.pulls) {
    pull.diff = read(`${name}-${pull.number}.diff`)
    pull.files = pull.diff.split(/^(?=diff --git )/m).map(fileOf)
  }
  return repository
}

function read(file: string): string {
  return readFileSync(new URL(`samples/${file}`, import.meta.url), 'utf8')
}

/** The file that a section of a diff is about, as the code host lists it. */
function fileOf(section: string): FakeFile {
  const [header = ''] = section.split(/^@@ /m, 1)
  const patch = section.slice(header.length).replace(/\n$/, '')
  const [, filename = ''] = / b\/(.+)$/m.exec(header) ?? []
  const [, previous] = /^rename from (.+)$/m.exec(header) ?? []
  return {
    filename,
    ...(previous && { previous_filename: previous }),
    status: previous ? 'renamed' : /^new file/m.test(header) ? 'added' : 'modified',
    additions: patch.match(/^\+/gm)?.length ?? 0,
    deletions: patch.match(/^-/gm)?.length ?? 0,
    ...(patch && { patch }),
  }
}

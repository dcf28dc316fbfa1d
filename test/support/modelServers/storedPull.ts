import type { FakeFile, FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import { listOf } from '../../../scripts/fakeHost/renderLists.ts'
import { diffOf, renderPull } from '../../../scripts/fakeHost/renderPull.ts'
import { assemble, withIssues } from '../../../src/domain/pulls/assemble.ts'
import { toPullRequest } from '../../../src/host/pullRequest.ts'
import { toCommit, toFile } from '../../../src/host/pullRequestParts.ts'

/** A pull request of the fake code host in the form in which the service stores it. */
export function storedPull(files: FakeFile[], number: number) {
  const repository = { id: number, owner: 'acme', name: `paper-${number}` }
  const pull: FakePull = { number: 1, title: 'A change', files }
  const list = <T>(path: string) => (listOf(repository, pull, path) ?? []).map((render) => render() as T)
  const assembled = assemble({
    pull: toPullRequest(renderPull(repository, pull)),
    code: {
      files: list<Parameters<typeof toFile>[0]>('pulls/files').map((file) => ({
        ...toFile(file),
        patchLeftOut: false,
      })),
      diff: Buffer.from(diffOf(pull) ?? ''),
      commits: list<Parameters<typeof toCommit>[0]>('pulls/commits').map(toCommit),
      attributes: null,
    },
    comments: [],
    previous: null,
    fetchedAt: '2026-01-01T00:00:00.000Z',
  })
  const { document, facts } = withIssues(assembled, [])
  return { document, hostPrUrl: facts.hostPrUrl, headSha: facts.headSha }
}

export type StoredPull = ReturnType<typeof storedPull>

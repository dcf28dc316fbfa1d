import { pack } from '../../src/db/engine/packed.ts'
import { OUTLINE_VERSION } from '../../src/domain/articles/versions.ts'
import { assemble, withIssues } from '../../src/domain/pulls/assemble.ts'
import { versionOf } from '../../src/domain/pulls/document.ts'
import { pullColumnsOf } from '../../src/domain/pulls/pullColumns.ts'
import { toPullRequest } from '../../src/host/pullRequest.ts'
import { toCommit, toFile } from '../../src/host/pullRequestParts.ts'
import { outline } from '../../src/writer/steps/outline.ts'
import { render } from '../../src/writer/steps/render.ts'
import { samples } from '../demo/samples.ts'
import type { FakePull } from '../fakeHost/fakeRepository.ts'
import { listOf } from '../fakeHost/renderLists.ts'
import { diffOf, renderPull } from '../fakeHost/renderPull.ts'

const REPOSITORY = { id: 1, owner: 'seed-owner', name: 'seed-repo' }
const pulls = samples.flatMap((repository) => repository.pulls)
export const PULLS_PER_REPOSITORY = pulls.length
/** A placeholder for the time, which SQL replaces in every copy of a text. */
export const WRITTEN_AT = '2000-01-01T00:00:00.000Z'

/** The samples of the demo as rows of `pull_requests` and `article_texts`, written by the service's own code. */
export async function writeSamples(openedAt: Date) {
  const written = await Promise.all(pulls.map((pull, i) => writeSample({ ...pull, number: i + 1 }, openedAt)))
  return { pulls: written.map(({ pull }) => pull), texts: written.flatMap(({ texts }) => texts) }
}

async function writeSample(sample: FakePull, openedAt: Date) {
  const at = openedAt.toISOString()
  const merged: FakePull = { ...sample, state: 'closed', createdAt: at, updatedAt: at, mergedAt: at }
  const pull = { ...toPullRequest(renderPull(REPOSITORY, merged)), comments: 0, reviewComments: 0 }
  const files = partsOf(sample, 'pulls/files', toFile).map((file) => ({ ...file, patchLeftOut: false }))
  const commits = partsOf(sample, 'pulls/commits', toCommit).map((commit) => ({ ...commit, authoredAt: at }))
  const code = { files, diff: Buffer.from(diffOf(sample) ?? ''), commits, attributes: null }
  const { document, facts } = withIssues(assemble({ pull, code, comments: [], previous: null, fetchedAt: at }), [])
  const version = versionOf(pull)
  const packed = `\\x${(await pack(document)).toString('hex')}`
  const { number } = sample
  const columns = { ...pullColumnsOf(facts), labels: facts.labels }
  return {
    pull: { number, private: false, version, host_updated_at: at, document: packed, ...columns },
    texts: await Promise.all(
      ['ja', 'en'].map(async (language) => {
        const { article, coverage, generator } = await outline({ document, language })
        const { headSha, hostPrUrl } = facts
        const made = { ...generator, kind: 'outline', promptVersion: OUTLINE_VERSION, milliseconds: 0 } as const
        const content = { ...article, summaryGeneratedAt: WRITTEN_AT, headSha, coverage, generator: made }
        const { excerpts, markup, feedHtml } = await render({ content, language, hostPrUrl, document })
        const { aiGeneratedTitle: title, lead } = article
        const columns = { title, lead: lead?.text ?? null, content: JSON.stringify(content), markup, excerpts }
        return { number, language, head_sha: headSha, ...columns, feed_html: feedHtml }
      }),
    ),
  }
}

/** Reads a part of a sample with the service's own parsers, because the fake host uses the format of code hosts. */
function partsOf<T>(sample: FakePull, path: string, read: (data: never) => T): T[] {
  return (listOf(REPOSITORY, sample, path) ?? []).map((render) => read(render() as never))
}

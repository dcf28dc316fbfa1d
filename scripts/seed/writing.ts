import { OUTLINE_VERSION } from '../../src/articles/versions.ts'
import { pack } from '../../src/db/engine/packed.ts'
import { toPullRequest } from '../../src/host/pullRequest.ts'
import { toCommit, toFile } from '../../src/host/pullRequestParts.ts'
import { assemble, withIssues } from '../../src/pulls/assemble.ts'
import { versionOf } from '../../src/pulls/document.ts'
import { pullColumnsOf } from '../../src/pulls/pullColumns.ts'
import type { StoredContent } from '../../src/writer/content.ts'
import { illustrate } from '../../src/writer/steps/illustrate.ts'
import { outline } from '../../src/writer/steps/outline.ts'
import { samples } from '../demo/samples.ts'
import type { FakePull } from '../fakeHost/fakeRepository.ts'
import { listOf } from '../fakeHost/renderLists.ts'
import { diffOf, renderPull } from '../fakeHost/renderPull.ts'

export const PULLS_PER_REPOSITORY = 20

const LANGUAGES = ['ja', 'en']
const REPOSITORY = { id: 1, owner: 'seed-owner', name: 'seed-repo' }

export type Written = Awaited<ReturnType<typeof writtenPull>>

/**
 * The pull requests of every seeded repository, with outlines written by the service. They repeat the samples of the
 * demo, so the database can multiply them itself.
 */
export async function writePulls(openedAt: Date): Promise<Written[]> {
  const pulls = samples.flatMap((repository) => repository.pulls)
  const written: Written[] = []
  for (let number = 1; number <= PULLS_PER_REPOSITORY; number++) {
    const sample = pulls[number % pulls.length]
    if (sample) written.push(await writtenPull({ ...sample, number }, openedAt))
  }
  return written
}

async function writtenPull(sample: FakePull, openedAt: Date) {
  const at = openedAt.toISOString()
  const merged: FakePull = { ...sample, state: 'closed', createdAt: at, updatedAt: at, mergedAt: at }
  const pull = toPullRequest(renderPull(REPOSITORY, merged))
  const files = listed(sample, 'pulls/files', toFile).map((file) => ({ ...file, patchLeftOut: false }))
  const commits = listed(sample, 'pulls/commits', toCommit).map((commit) => ({ ...commit, authoredAt: at }))
  const alone = { ...pull, comments: 0, reviewComments: 0 }
  const code = { files, diff: Buffer.from(diffOf(sample) ?? ''), commits, attributes: null }
  const assembled = assemble({ pull: alone, code, comments: [], previous: null, fetchedAt: at })
  const { document, facts } = withIssues(assembled, [])
  const version = versionOf(alone)
  const texts = await Promise.all(
    LANGUAGES.map(async (language) => {
      const { article, coverage, generator } = await outline({ document, language })
      const { headSha } = facts
      const written = { kind: 'outline', promptVersion: OUTLINE_VERSION, milliseconds: 0 } as const
      const content: Omit<StoredContent, 'summaryGeneratedAt'> = {
        ...article,
        headSha,
        coverage,
        generator: { ...generator, ...written },
      }
      const {
        excerpts,
        markup: made,
        feedHtml,
      } = await illustrate({
        content: { ...content, summaryGeneratedAt: at },
        language,
        hostPrUrl: facts.hostPrUrl,
        document,
      })
      const { of: _, ...markup } = JSON.parse(made)
      // Omits the beginning: SQL puts the varying time in front.
      const [own, shown] = [content, markup].map((part) => JSON.stringify(part).slice(1))
      const [title, lead] = [article.aiGeneratedTitle, article.lead?.text ?? null]
      return { language, title, lead, content: own, markup: shown, feed: feedHtml, excerpts }
    }),
  )
  const packed = (await pack(document)).toString('hex')
  return { number: sample.number, version, packed, updatedAt: openedAt, ...pullColumnsOf(facts, version), texts }
}

/** The fake host uses the format of code hosts, so the same parsers apply. */
function listed<T>(sample: FakePull, path: string, read: (data: never) => T): T[] {
  return (listOf(REPOSITORY, sample, path) ?? []).map((render) => read(render() as never))
}

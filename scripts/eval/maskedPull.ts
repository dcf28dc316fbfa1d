import { splitDiff } from '../../src/writer/facts/splitDiff.ts'
import { visible } from '../../src/writer/reading/visible.ts'
import { secretMasker } from '../../src/writer/secrets/masker.ts'
import type { Schemas } from '../demo/api.ts'
import { isNeverRead } from './measure.ts'

/** A pull request as the judge may see it: secrets masked, invisible characters written out. */
export interface MaskedPull {
  title: string
  description: string
  /** Older runs have neither this field nor the next two. */
  labels?: string[]
  milestone?: string
  issues?: string[]
  commits: string[]
  comments: string[]
  files: { path: string; diff: string }[]
}

/** Limit of all diffs together, more than fits any prompt. The diffs of further files are left out. */
const MAX_CHARACTERS = 2_000_000
const MAX_TEXT_CHARACTERS = 8000
const MAX_TEXTS = 100

/** Masks a pull request. Lock files and the like are only named, as for the writer of the article. */
export async function maskedPull(pull: Schemas['PullRequest'], covered: Schemas['CoveredFile'][]): Promise<MaskedPull> {
  const noise = new Map(covered.filter(isNeverRead).map(({ path, kind }) => [path, kind]))
  const masker = secretMasker()
  const masked = async (text: string) => visible((await masker.mask([text]))[0] ?? '')
  const all = (texts: string[]) =>
    inTurn(texts.slice(0, MAX_TEXTS), (text) => masked(text.slice(0, MAX_TEXT_CHARACTERS)))
  const sections = splitDiff(pull.diff)
  let left = MAX_CHARACTERS
  const files = await inTurn(pull.files, async ({ path }, i) => {
    const kind = noise.get(path)
    const section = kind ? `diff --git a/${path} b/${path}\n(${kind}: not shown)\n` : (sections[i] ?? '')
    left -= section.length
    return { path: await masked(path), diff: left < 0 ? '' : await masked(section) }
  })
  return {
    title: await masked(pull.title),
    description: await masked(pull.body ?? ''),
    labels: await all(pull.labels),
    milestone: await masked(pull.milestone ?? ''),
    issues: await all(pull.linkedIssues.map(({ number, title, body }) => `#${number} ${title}\n${body ?? ''}`)),
    commits: await all(pull.commits.map(({ message }) => message)),
    comments: await all(pull.comments.map(({ author, body }) => `${author}: ${body}`)),
    files,
  }
}

/** Changes the items one after the other: a secret that was found once is then recognized in later texts. */
async function inTurn<T, R>(items: T[], change: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const changed: R[] = []
  for (const [i, item] of items.entries()) changed.push(await change(item, i))
  return changed
}

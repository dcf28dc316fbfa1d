import { type PullRequestDocument, parseDocument } from '../../pulls/document.ts'
import type { Composed } from '../content.ts'
import { withAddresses } from '../content.ts'
import type { Draft } from '../draft.ts'
import { writeOutline } from '../outline/outline.ts'
import { type ChangedFile, changedFilesOf } from '../reading/changedFiles.ts'
import { coverageOf, coverWhole } from '../reading/coverage.ts'
import { isNoise } from '../reading/kinds.ts'
import { type Mask, maskHunks, maskText } from '../reading/mask.ts'
import { secretMasker } from '../secrets/masker.ts'

const MAX_MASKED_LINES = 20_000
const MAX_MASKED_CHARACTERS = 2_000_000

interface Input {
  document: Uint8Array
  language: string
}

/** Composes an outline without a model, from all files that are not noise. */
export async function outline({ document, language }: Input): Promise<Composed> {
  const pull = parseDocument(document)
  const masker = secretMasker()
  const files = await maskedFiles(await changedFilesOf(pull, masker.mask), masker.mask)
  const quotable = await maskedPull(pull, masker.mask)
  const draft = await maskedDraft(writeOutline(quotable, files, language === 'ja' ? 'ja' : 'en'), masker.mask)
  const conversationCoverage = {
    description: pull.body?.trim() ? ('read' as const) : ('none' as const),
    commits: { read: pull.commits.length, total: pull.commits.length + pull.leftOut.commits },
    comments: { read: 0, total: pull.comments.length + pull.leftOut.comments },
  }
  const coverage = coverageOf(pull, coverWhole(files), conversationCoverage)
  return {
    article: withAddresses(draft, pull),
    coverage: { ...coverage, secretsMasked: masker.count, claimsDropped: 0 },
    generator: { model: null, translatedFrom: null, inputTokens: 0, outputTokens: 0, calls: 0 },
  }
}

/** Masks secrets in files until a size limit is reached. In later files, only quoted excerpts are masked. */
async function maskedFiles(files: ChangedFile[], mask: Mask): Promise<ChangedFile[]> {
  const left = { lines: MAX_MASKED_LINES, characters: MAX_MASKED_CHARACTERS }
  const masked: ChangedFile[] = []
  for (const file of files) {
    const lines = file.hunks.flatMap((hunk) => hunk.lines)
    left.lines -= lines.length
    left.characters -= lines.reduce((sum, { text }) => sum + text.length, 0)
    const fits = left.lines >= 0 && left.characters >= 0
    masked.push(fits && !isNoise(file.kind) ? { ...file, hunks: await maskHunks(file.hunks, mask) } : file)
  }
  return masked
}

/** Masks before texts are cut for quoting, because half a secret would no longer be recognized. */
async function maskedPull(pull: PullRequestDocument, mask: Mask): Promise<PullRequestDocument> {
  const commits = await Promise.all(
    pull.commits.map(async (commit) => ({ ...commit, message: await maskText(commit.message, mask) })),
  )
  return {
    ...pull,
    title: await maskText(pull.title, mask),
    body: pull.body === null ? null : await maskText(pull.body, mask),
    commits,
  }
}

async function maskedDraft(draft: Draft, mask: Mask): Promise<Draft> {
  const [changes, points] = await Promise.all([
    mask(draft.mainChanges.map(({ description }) => description)),
    mask(draft.notablePoints.map(({ point }) => point)),
  ])
  return {
    ...draft,
    mainChanges: draft.mainChanges.map((change, i) => ({ ...change, description: changes[i] ?? '' })),
    notablePoints: draft.notablePoints.map((point, i) => ({ ...point, point: points[i] ?? '' })),
  }
}

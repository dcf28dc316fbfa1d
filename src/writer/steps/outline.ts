import { NO_USAGE } from '../../model/call.ts'
import type { Composed } from '../content.ts'
import { withAddresses } from '../content.ts'
import type { Draft, DraftFigure, DraftSide } from '../draft.ts'
import type { PullRequestDocument } from '../facts/document.ts'
import { parseDocument } from '../facts/document.ts'
import { inOrderOfImportance } from '../outline/changes.ts'
import { writeOutline } from '../outline/outline.ts'
import { type ChangedFile, changedFilesOf } from '../reading/changedFiles.ts'
import { coverageOf, coverWhole } from '../reading/coverage.ts'
import { isNoise } from '../reading/kinds.ts'
import { type Mask, maskHunks, maskText } from '../reading/mask.ts'
import { shownMilestone } from '../reading/read.ts'
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
  const { files, masked } = await maskedFiles(await changedFilesOf(pull, masker.mask), masker.mask)
  const quotable = await maskedPull(pull, masker.mask)
  const since = await shownMilestone(pull, masker.mask)
  const options = { language: language === 'ja' ? ('ja' as const) : ('en' as const), masked, since }
  const draft = await maskedDraft(writeOutline(quotable, files, options), masker.mask)
  const conversationCoverage = {
    description: pull.body?.trim() ? ('read' as const) : ('none' as const),
    commits: { read: pull.commits.length, total: pull.commits.length + pull.leftOut.commits },
    comments: { read: 0, total: pull.comments.length + pull.leftOut.comments },
  }
  const coverage = coverageOf(pull, coverWhole(files), conversationCoverage)
  return {
    article: withAddresses(draft, pull),
    coverage: { ...coverage, secretsMasked: masker.count, claimsDropped: 0 },
    generator: { model: null, translatedFrom: null, calls: 0, ...NO_USAGE },
  }
}

/**
 * Masks secrets in files until a size limit is reached, the most important files first. In other files, only quoted
 * excerpts are masked.
 */
async function maskedFiles(files: ChangedFile[], mask: Mask) {
  const left = { lines: MAX_MASKED_LINES, characters: MAX_MASKED_CHARACTERS }
  const maskedBy = new Map<ChangedFile, ChangedFile>()
  for (const file of inOrderOfImportance(files)) {
    if (isNoise(file.kind)) continue
    const lines = file.hunks.flatMap((hunk) => hunk.lines)
    const characters = lines.reduce((sum, { text }) => sum + text.length, 0)
    if (lines.length > left.lines || characters > left.characters) continue
    left.lines -= lines.length
    left.characters -= characters
    maskedBy.set(file, { ...file, hunks: await maskHunks(file.hunks, mask) })
  }
  return { files: files.map((file) => maskedBy.get(file) ?? file), masked: new Set(maskedBy.values()) }
}

/** Masks secrets before texts are cut for quoting, because half a secret would no longer be recognized. */
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

/** Masks the draft once more, because a later file may reveal that an unnamed string in an earlier one is a secret. */
async function maskedDraft(draft: Draft, mask: Mask): Promise<Draft> {
  const [headings, descriptions, points] = await Promise.all([
    mask(draft.mainChanges.map(({ heading }) => heading ?? '')),
    mask(draft.mainChanges.map(({ description }) => description)),
    mask(draft.notablePoints.map(({ point }) => point)),
  ])
  return {
    ...draft,
    mainChanges: await Promise.all(
      draft.mainChanges.map(async (change, i) => ({
        ...change,
        heading: headings[i] ?? '',
        description: descriptions[i] ?? '',
        figures: await Promise.all(change.figures.map((figure) => maskedFigure(figure, mask))),
      })),
    ),
    notablePoints: draft.notablePoints.map((point, i) => ({ ...point, point: points[i] ?? '' })),
  }
}

async function maskedFigure(figure: DraftFigure, mask: Mask): Promise<DraftFigure> {
  if (figure.kind !== 'code') return figure
  const maskedSide = async (side: DraftSide | null) => {
    const texts = await mask(side?.lines.map(({ text }) => text) ?? [])
    return side && { ...side, lines: side.lines.map((line, i) => ({ ...line, text: texts[i] ?? '' })) }
  }
  const [before, after] = await Promise.all([maskedSide(figure.before), maskedSide(figure.after)])
  return { ...figure, before, after, caption: await maskText(figure.caption, mask) }
}

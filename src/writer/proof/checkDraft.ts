import { clip } from '../../lib/clip.ts'
import type {
  Diagram,
  DraftChange,
  DraftImpact,
  DraftLead,
  DraftMismatch,
  DraftPoint,
  DraftReason,
  Term,
} from '../draft.ts'
import type { RepairedDraft } from '../prompts/answerTypes.ts'
import { lengthsFor } from '../prompts/lengths.ts'
import { checkChange, checkImpact, checkLead, checkMismatch, checkPoint, checkReason } from './checkClaims.ts'
import type { CheckContext, Item } from './checkContext.ts'
import { checkDiagram, checkTerm } from './checkDiagram.ts'
import { cleanText } from './checkMarkdown.ts'
import { formErrors } from './checkText.ts'

/** The checked items of an answer, by part. */
export interface CheckedDraft {
  aiGeneratedTitle: Item<string>[]
  lead: Item<DraftLead>[]
  impact: Item<DraftImpact>[]
  reasons: Item<DraftReason>[]
  mainChanges: Item<DraftChange>[]
  diagram: Item<Diagram>[]
  notablePoints: Item<DraftPoint>[]
  mismatches: Item<DraftMismatch>[]
  terms: Item<Term>[]
}

export type PartName = keyof CheckedDraft

/** The maximum number of items of each part that are checked. No article needs more. */
const MAX_ITEMS = 20

/** Checks the items of an answer, or of a repaired part of it. A part that is one object is checked as a list of one. */
export async function checkDraft(answer: RepairedDraft, context: CheckContext): Promise<CheckedDraft> {
  const all = <T, U>(items: T[], check: (item: T, context: CheckContext) => Promise<Item<U>>) =>
    Promise.all(items.slice(0, MAX_ITEMS).map((item) => check(item, context)))
  const one = <T>(item: T | null | undefined) => (item === null || item === undefined ? [] : [item])
  return {
    aiGeneratedTitle: await all(one(answer.aiGeneratedTitle), checkTitle),
    lead: await all(one(answer.lead), checkLead),
    impact: await all(one(answer.impact), checkImpact),
    reasons: await all(answer.reasons ?? [], checkReason),
    mainChanges: await all(answer.mainChanges ?? [], checkChange),
    diagram: await all(one(answer.diagram), checkDiagram),
    notablePoints: await all(answer.notablePoints ?? [], checkPoint),
    mismatches: await all(answer.mismatches ?? [], checkMismatch),
    terms: await all(answer.terms ?? [], checkTerm),
  }
}

/**
 * Checks a title and makes it plain text. Reports a title that is too long, but also cuts it so that it can be used.
 */
async function checkTitle(title: string, context: CheckContext): Promise<Item<string>> {
  const text = cleanText(title).replaceAll('`', '').replace(/\s+/g, ' ')
  const { title: max } = lengthsFor(context.language)
  const errors = formErrors(text, context)
  if (text === '') errors.push('it is empty')
  if (errors.length > 0 || text.length <= max) return { proven: errors.length > 0 ? null : text, errors }
  const proven = `${clip(text, max - 1).text}…`
  return { proven, errors: [`it has ${text.length} characters; write at most ${max}`] }
}

export interface FailedItem {
  part: PartName
  index: number
  errors: string[]
}

const SINGLE: PartName[] = ['aiGeneratedTitle', 'lead', 'impact', 'diagram']
/** Parts that are not asked for again if they have errors, because an article is as good without them. */
const OPTIONAL: PartName[] = ['diagram', 'terms', 'mismatches']

/** The items to ask for again. */
export function failedItems(checked: CheckedDraft): FailedItem[] {
  return partsOf(checked).flatMap(([part, items]) =>
    OPTIONAL.includes(part)
      ? []
      : items.flatMap(({ errors }, index) => (errors.length > 0 ? [{ part, index, errors }] : [])),
  )
}

export function nameOf({ part, index }: Pick<FailedItem, 'part' | 'index'>): string {
  return SINGLE.includes(part) ? part : `${part}[${index}]`
}

export function partsOf(checked: CheckedDraft): [PartName, Item<unknown>[]][] {
  return Object.entries(checked) as [PartName, Item<unknown>[]][]
}

/**
 * Replaces failed items by repaired ones. If a repair fails too, the valid form of the first item stays, if there is
 * one. Skips items that were valid before, because some models repeat the whole list.
 */
export function withRepairs(checked: CheckedDraft, repaired: CheckedDraft): CheckedDraft {
  const failed = Map.groupBy(failedItems(checked), ({ part }) => part)
  const merged = partsOf(checked).map(([part, items]) => {
    const places = failed.get(part)?.map(({ index }) => index) ?? []
    const keys = new Set(items.filter(({ errors }) => errors.length === 0).map(({ proven }) => JSON.stringify(proven)))
    const repairs = repaired[part].filter(({ proven }) => proven === null || !keys.has(JSON.stringify(proven)))
    const repairAt = repairsByPlace(items, places, repairs)
    const replaced = items.map((item, index) => {
      const repair = repairAt.get(index)
      return repair?.proven ? repair : { ...item, errors: repair?.errors ?? item.errors }
    })
    return [part, replaced]
  })
  return Object.fromEntries(merged) as CheckedDraft
}

/**
 * Assigns each repair to the failed item with the same text, otherwise to the next failed item, because models leave
 * out items.
 */
function repairsByPlace(items: Item<unknown>[], places: number[], repairs: Item<unknown>[]) {
  const left = [...repairs]
  const sameText = places.map((index) => {
    const text = textOf(items[index]?.proven)
    const at = text === undefined ? -1 : left.findIndex(({ proven }) => textOf(proven) === text)
    return at === -1 ? undefined : left.splice(at, 1)[0]
  })
  return new Map(places.map((index, i) => [index, sameText[i] ?? left.shift()]))
}

/** The text that identifies an item: the heading of a section, or the text of a reason or point. */
function textOf(proven: unknown): string | undefined {
  const { heading, text, point } = (proven ?? {}) as { heading?: string; text?: string; point?: string }
  return heading ?? text ?? point
}

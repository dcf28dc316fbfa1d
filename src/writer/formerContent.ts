import type { StoredContent } from './content.ts'

type Change = StoredContent['mainChanges'][number]
type Point = StoredContent['notablePoints'][number]
type NewFields = 'lead' | 'impact' | 'reasons' | 'diagram' | 'mismatches' | 'terms'
type OptionalFields<T, Names extends keyof T> = Omit<T, Names> & Partial<Pick<T, Names>>

/** A text that may have been written before leads, impacts and figures existed. */
export type FormerContent = Omit<OptionalFields<StoredContent, NewFields>, 'mainChanges' | 'notablePoints'> & {
  mainChanges: OptionalFields<Change, 'heading' | 'basis' | 'figures'>[]
  notablePoints: OptionalFields<Point, 'importance' | 'basis'>[]
}

/** Adds the fields that a former text lacks, null or empty. */
export function withNewFields<Content extends Pick<FormerContent, NewFields | 'mainChanges' | 'notablePoints'>>(
  content: Content,
) {
  return {
    lead: null,
    impact: null,
    reasons: [],
    diagram: null,
    mismatches: [],
    terms: [],
    ...content,
    mainChanges: content.mainChanges.map((change) => ({ heading: null, basis: null, figures: [], ...change })),
    notablePoints: content.notablePoints.map((point) => ({ importance: null, basis: null, ...point })),
  }
}

/** The same for all texts of an article, as JSON members by language. */
export function addNewFields(contents: string): string {
  const texts = Object.entries<FormerContent>(JSON.parse(`{${contents}}`))
  return texts.map(([language, text]) => `${JSON.stringify(language)}:${JSON.stringify(withNewFields(text))}`).join(',')
}

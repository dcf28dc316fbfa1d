import type { SearchEntry } from '../../db/search/searchQueue.ts'
import type { StoredContent } from '../../writer/content.ts'
import { textsOf } from '../../writer/mapTexts.ts'
import { readingMinutes } from '../../writer/render/readingTime.ts'
import { proseText } from '../../writer/render/renderMarkdown.ts'
import { authorFilter, changeTypeFilter, compatibilityFilter, labelFilter, placeFilter } from './filters.ts'
import { fold } from './fold.ts'
import { lexemesOf } from './lexemes.ts'
import { topicsOf } from './topics.ts'

/** A stored text with the facts of its pull request that can be searched for. */
export interface SearchedText {
  /** As JSON. */
  content: string
  isPublic: boolean
  hostRepoId: number
  fullName: string
  number: number
  title: string | null
  authorLogin: string | null
  labels: string[]
}

/** Only this many characters of a text are searched. Texts are far shorter; a longer one is found by its beginning. */
const MAX_CHARACTERS = 20_000
const MAX_PATHS = 300

/**
 * Builds the entry that lists and searches store about a text. Runs in a thread, because the time it takes grows with
 * the text.
 */
export function searchEntry(text: SearchedText): SearchEntry {
  const content: StoredContent = JSON.parse(text.content)
  const texts = textsOf(content).map(([key, markdown]) => ({ key, prose: proseText(markdown, MAX_CHARACTERS) }))
  const isHead = (key: string) => key === 'lead' || key.endsWith('_heading')
  const title = texts.find(({ key }) => key === 'title')?.prose ?? ''
  const quotes = quotesOf(content)
  const passages = [...texts.filter(({ key }) => key !== 'title').map(({ prose }) => prose), ...quotes]
  const head = texts.filter(({ key }) => isHead(key)).map(({ prose }) => prose)
  const names = [
    ...[text.fullName, `#${text.number}`, text.authorLogin ?? '', ...text.labels],
    ...content.mainChanges.map(({ fileName }) => fileName),
  ]
  const body = [
    ...texts.filter(({ key }) => key !== 'title' && !isHead(key)).map(({ prose }) => prose),
    ...[...quotes, text.title ?? '', ...codeOf(content)],
    ...content.coverage.files.slice(0, MAX_PATHS).map(({ path }) => path),
  ]
  const changeTypes = [...new Set(content.mainChanges.flatMap((change) => change.changeTypes))]
  const searched = [title, joined([...head, ...names]), joined(body)] as const
  return {
    title: fold(searched[0]),
    head: fold(searched[1]),
    body: fold(searched[2]),
    shown: joined(passages),
    lexemes: [...lexemesOf(joined([...searched])), ...filtersOf(text, content, changeTypes)],
    compatibility: content.impact?.compatibility ?? null,
    affected: content.impact?.affected ?? null,
    change_types: changeTypes,
    reading_minutes: readingMinutes(content),
  }
}

function filtersOf(
  { isPublic, hostRepoId, authorLogin, labels }: SearchedText,
  content: StoredContent,
  changeTypes: SearchEntry['change_types'],
): string[] {
  return [
    placeFilter(isPublic ? null : hostRepoId),
    ...(authorLogin === null ? [] : [authorFilter(authorLogin)]),
    ...labels.map(labelFilter),
    ...(content.impact ? [compatibilityFilter(content.impact.compatibility)] : []),
    ...changeTypes.map(changeTypeFilter),
    ...Object.values(topicsOf(hostRepoId, content)).flat(),
  ]
}

function quotesOf({ reasons, mismatches }: Pick<StoredContent, 'reasons' | 'mismatches'>): string[] {
  return [...reasons.flatMap(({ sources }) => sources), ...mismatches].map(({ quote }) => quote)
}

function codeOf({ mainChanges }: Pick<StoredContent, 'mainChanges'>): string[] {
  return mainChanges
    .flatMap(({ figures }) => figures)
    .flatMap((figure) => {
      if (figure.kind === 'example') return [figure.text]
      const sides = figure.kind === 'code' ? [figure.before, figure.after] : []
      return sides.flatMap((side) => side?.lines.map(({ text }) => text) ?? [])
    })
}

function joined(texts: string[]): string {
  return texts
    .filter((text) => text !== '')
    .join('\n')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
}

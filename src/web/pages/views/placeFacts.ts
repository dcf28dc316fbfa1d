import { html, type SafeHtml } from '@remix-run/html-template'
import { repositoryAddress } from '../addresses.ts'
import { languageLabel } from '../format.ts'
import { readerLanguage, type Visit } from '../page.ts'
import { pullState } from './pullState.ts'

type Listed = Parameters<typeof pullState>[0] & {
  owner: string
  repo: string
  number: number
  /** The language of the article's text. */
  language: string
}

/** Items of a list of facts that every list of articles shows: repository, state, date and language. */
export function placeFacts(visit: Visit, article: Listed): SafeHtml {
  const { locale } = visit
  const { owner, repo, number, language } = article
  const isForeign = language !== readerLanguage(visit)
  return html`<li><a href="${repositoryAddress(owner, repo)}">${owner}/${repo}</a> #${String(number)}</li>
${pullState(article, locale)}
<li class="${isForeign ? 'tag' : ''}">${languageLabel(language, locale)}</li>`
}

type Row = Omit<Listed, 'repo' | 'mergedAt' | 'openedAt'> & {
  name: string
  merged_at: Date | null
  host_created_at: Date
}

/** The list of these facts for a row of the database, with its likes. */
export function rowFacts(visit: Visit, row: Row, likes: SafeHtml): SafeHtml {
  const { name: repo, merged_at: mergedAt, host_created_at: openedAt } = row
  return html`<ul class="facts">${placeFacts(visit, { ...row, repo, mergedAt, openedAt })}
<li>${likes}</li></ul>`
}

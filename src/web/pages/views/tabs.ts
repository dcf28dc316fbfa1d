import { html, type SafeHtml } from '@remix-run/html-template'
import { languageLabel } from '../format.ts'
import { LOCALES, texts } from '../locale.ts'
import { readerLanguage, type Visit } from '../page.ts'

interface Tab {
  text: string
  to: string
  isCurrent: boolean
}

/** Links to variants of a page. */
export function tabs(label: string, links: Tab[], className = 'tabs'): SafeHtml {
  return html`<nav class="${className}" aria-label="${label}">${links.map(({ text, to, isCurrent }) =>
    isCurrent ? html`<a href="${to}" aria-current="page">${text}</a>` : html`<a href="${to}">${text}</a>`,
  )}</nav>`
}

/** Links to a list in all languages, or in one. */
export function languageTabs(
  visit: Visit,
  chosen: string | undefined,
  pathIn: (language?: string) => string,
): SafeHtml {
  const { locale } = visit
  const t = texts[locale]
  const codes = new Set([...LOCALES, readerLanguage(visit), ...(chosen ? [chosen] : [])])
  return tabs(t.articleLanguage, [
    { text: t.allLanguages, to: pathIn(), isCurrent: chosen === undefined },
    ...[...codes].map((code) => ({
      text: languageLabel(code, locale),
      to: pathIn(code),
      isCurrent: code === chosen,
    })),
  ])
}

/** A link to the next page of a list, if there is one. */
export function nextLink({ locale }: Visit, text: string, to: string | null): SafeHtml {
  if (to === null) return html``
  return html`<nav class="turning" aria-label="${texts[locale].pages}"><a rel="next" href="${to}">${text}</a></nav>`
}

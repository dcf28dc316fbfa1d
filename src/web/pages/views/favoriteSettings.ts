import { html, type SafeHtml } from '@remix-run/html-template'
import type { Favorite } from '../../../domain/favorites/favorites.ts'
import type { Texts } from '../texts/ja.ts'

type AutomaticArticles = Favorite['automaticArticles']

const CHOICES = ['off', 'notable', 'everything'] as const satisfies AutomaticArticles[]

/** The outcome of sending the form of a favorite: saved, or why not. */
export type SettingsOutcome = { id: string } | { repository: string; includesBots: boolean; warning: string }

export function choiceIn(text: string | undefined): AutomaticArticles | undefined {
  return CHOICES.find((choice) => choice === text)
}

/** The form for automatic articles about a favorite, in a section that shows the current setting until it is opened. */
export function settingsForm({ merges: t }: Texts, favorite: Favorite, outcome: SettingsOutcome | undefined): SafeHtml {
  const { repositoryFullName: name, automaticArticles } = favorite
  const isSaved = outcome !== undefined && 'id' in outcome && outcome.id === favorite.id
  const refused = outcome && 'warning' in outcome && isSame(outcome.repository, name) ? outcome : undefined
  const includesBots = refused?.includesBots ?? favorite.includesBots
  return html`${isSaved ? html`<p class="meta" role="status">${t.saved}</p>` : ''}
<details ${refused ? html`open` : ''}><summary>${t.automatic}: ${t.choices[automaticArticles]}</summary>
<form method="post" action="/read/favorites/settings#favorite-${favorite.id}" aria-label="${t.settingsOf(name)}"><input type="hidden" name="repository" value="${name}">
${refused ? html`<p class="warning" role="alert">${refused.warning}</p>` : ''}
<label for="automatic-${favorite.id}">${t.choose}</label> <select id="automatic-${favorite.id}" name="automaticArticles">${CHOICES.map(
    (choice) =>
      html`<option value="${choice}" ${choice === automaticArticles ? html`selected` : ''}>${t.choices[choice]}</option>`,
  )}</select>
<label class="check"><input type="checkbox" name="includesBots" value="yes" ${includesBots ? html`checked` : ''}> ${t.includesBots}</label>
<button class="quiet">${t.save}</button></form></details>`
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

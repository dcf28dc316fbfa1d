import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../../generated/api.ts'
import type { Context } from '../../../context.ts'
import { isWatching } from '../../../runtime/config/isWatching.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { timeOf } from './pullState.ts'

type Watching = components['schemas']['MergesPage']['watching']

/** The notice that tells readers why the service writes no articles automatically; undefined if it does. */
export function offNotice(t: Texts, ctx: Context): string | undefined {
  if (isWatching(ctx)) return undefined
  return ctx.config.automaticArticles.areWanted ? t.merges.noAccess : t.merges.turnedOff
}

/** When a repository was and will be checked for merged pull requests, or why it is not and what to do. */
export function watchingNotice(
  { locale }: Visit,
  ctx: Context,
  watching: Watching,
  repository: { private: boolean; is_followed: boolean },
): SafeHtml {
  const t = texts[locale]
  if (watching) return checks(locale, watching, ctx.now())
  const { notWatched, publicOnly, turnOn, followToWatch } = t.merges
  const todo = repository.private
    ? publicOnly
    : (offNotice(t, ctx) ?? (repository.is_followed ? turnOn : followToWatch))
  return html`<p class="warning">${notWatched} ${todo}</p>`
}

function checks(
  locale: Visit['locale'],
  { since, checkedAt, nextCheckAt }: NonNullable<Watching>,
  now: Date,
): SafeHtml {
  const t = texts[locale].merges
  const isDue = Date.parse(nextCheckAt) <= now.getTime()
  return html`<ul class="facts"><li>${t.since} ${timeOf(since, locale)}</li>
<li>${t.lastCheck} ${checkedAt ? timeOf(checkedAt, locale) : t.notYet}</li>
<li>${t.nextCheck} ${isDue ? t.soon : timeOf(nextCheckAt, locale)}</li></ul>`
}

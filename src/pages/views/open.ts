import type { Viewer } from '../../accounts/session.ts'
import { generate, languageWritten } from '../../articles/generate.ts'
import { readArticle } from '../../articles/read.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { languageIn, type PageHandler, type Redirection } from '../page.ts'
import { type PullPlace, pullIn } from '../places.ts'
import { home } from './home.ts'

const WAIT_MS = 1500

/** The article about a pull request that somebody named: as it is there, or to be written for them. */
export const open: PageHandler = async (visit, ctx) => {
  const place = pullIn(visit.form['address'] ?? '', ctx.config.codeHost.webUrl)
  if (!place) return { ...(await home(visit, ctx)), status: 400 }
  const language = languageWritten(ctx, languageIn(visit.form) ?? visit.viewer?.user.language ?? visit.locale)
  if (visit.viewer) return writtenFor(ctx, visit.viewer, place, language)
  const known = await articleAt(ctx, undefined, place)
  return { to: known ? addressOf(known.id, language) : `/sign-in?to=${encodeURIComponent(visit.path)}` }
}

/** What is there of it already does where nothing newer can be had. */
async function writtenFor(ctx: Context, viewer: Viewer, place: PullPlace, language: string): Promise<Redirection> {
  const wish = { ...place, language, force: false, waitMilliseconds: WAIT_MS }
  try {
    const outcome = await generate(ctx, viewer, wish)
    if ('job' in outcome) return { to: `/read/writing/${outcome.job.id}` }
    return { to: addressOf(JSON.parse(outcome.article.parts.join('')).id, language) }
  } catch (error) {
    const known = await articleAt(ctx, viewer, place)
    if (known?.languages.includes(language)) return { to: addressOf(known.id, language) }
    throw error
  }
}

export function addressOf(articleId: string, language: string): string {
  return `/read/articles/${articleId}?language=${language}`
}

async function articleAt(ctx: Context, viewer: Viewer | undefined, { name, number }: PullPlace) {
  try {
    const { id, contents } = JSON.parse((await readArticle(ctx, viewer, name, number)).parts.join(''))
    return { id: id as string, languages: Object.keys(contents) }
  } catch (error) {
    if (error instanceof Problem && error.code.endsWith('NOT_FOUND')) return undefined
    throw error
  }
}

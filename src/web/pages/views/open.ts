import type { Context } from '../../../context.ts'
import type { Viewer } from '../../../domain/accounts/session.ts'
import { generate } from '../../../domain/articles/generate.ts'
import { articleAddress, readArticle } from '../../../domain/articles/read.ts'
import { languageWritten } from '../../../domain/articles/textKey.ts'
import { type PullPlace, pullIn } from '../../../domain/repositories/parseAddress.ts'
import { Problem } from '../../../errors.ts'
import { pageAddress } from '../addresses.ts'
import { languageIn, type PageHandler, type Redirection, readerLanguage } from '../page.ts'
import { pathWith } from '../pathWith.ts'
import { signInPath } from '../wish.ts'
import { home } from './home.ts'

const WAIT_MS = 1500

/** Redirects to the article about a pull request; for signed-in users, writes it if needed. */
export const open: PageHandler = async (visit, ctx) => {
  const place = pullIn(visit.form['address'] ?? '', ctx.config.codeHost.webUrl)
  if (!place) return { ...(await home(visit, ctx)), status: 400 }
  const language = languageWritten(ctx, languageIn(visit.form) ?? readerLanguage(visit))
  if (visit.viewer) return writeOrReuse(ctx, visit.viewer, place, language)
  const existing = await articleAt(ctx, undefined, place)
  if (existing) return { to: pageAddress(existing.id, language) }
  const { address = '' } = visit.form
  return { to: signInPath(visit.path, { for: 'write', address, language: languageIn(visit.form) }) }
}

/** Redirects to the article about a pull request, or to the form that has one written. */
export const openPull: PageHandler = async (visit, ctx) => {
  const { owner, name, number } = visit.params
  const address = `${owner}/${name}#${number}`
  const place = pullIn(address, ctx.config.codeHost.webUrl)
  if (!place) throw new Problem('NOT_FOUND', 'There is no such pull request.')
  const existing = await articleAt(ctx, visit.viewer, place)
  return { to: existing ? pageAddress(existing.id, readerLanguage(visit)) : pathWith('/read', { address }) }
}

/** Falls back to the existing article if a newer one cannot be written. */
async function writeOrReuse(ctx: Context, viewer: Viewer, place: PullPlace, language: string): Promise<Redirection> {
  const request = { ...place, language, force: false, waitMilliseconds: WAIT_MS }
  try {
    const outcome = await generate(ctx, viewer, request, articleAddress)
    if ('job' in outcome) return { to: `/read/writing/${outcome.job.id}` }
    return { to: pageAddress(outcome.article.id, language) }
  } catch (error) {
    const existing = await articleAt(ctx, viewer, place)
    if (existing?.languages.includes(language)) return { to: pageAddress(existing.id, language) }
    throw error
  }
}

async function articleAt(ctx: Context, viewer: Viewer | undefined, { name, number }: PullPlace) {
  try {
    return await readArticle(ctx, viewer, name, number, articleAddress)
  } catch (error) {
    if (error instanceof Problem && error.code.endsWith('NOT_FOUND')) return undefined
    throw error
  }
}

import type { Viewer } from '../../accounts/session.ts'
import { generate, languageWritten } from '../../articles/generate.ts'
import { readArticle } from '../../articles/read.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { languageIn, type PageHandler } from '../page.ts'
import { home } from './home.ts'

const WAIT_MILLISECONDS = 1500

/** The article about a pull request whose address somebody gave: as it is there, or to be written for them. */
export const open: PageHandler = async (visit, ctx) => {
  const place = placeIn(visit.form['address'] ?? '', ctx.config.codeHost.webUrl)
  if (!place) return { ...(await home(visit, ctx)), status: 400 }
  const language = languageWritten(ctx, languageIn(visit.form) ?? visit.viewer?.user.language ?? visit.locale)
  const known = await articleAt(ctx, visit.viewer, place)
  const isThere = known?.languages.includes(language) && visit.form['anew'] !== 'yes'
  if (known && (isThere || !visit.viewer)) return { to: addressOf(known.id, language) }
  if (!visit.viewer)
    return { to: `/sign-in?to=${encodeURIComponent(`/read?address=${encodeURIComponent(place.address)}`)}` }
  const { name, number } = place
  const outcome = await generate(ctx, visit.viewer, {
    ...{ name, number, language },
    force: false,
    waitMilliseconds: WAIT_MILLISECONDS,
  })
  if ('job' in outcome) return { to: `/read/writing/${outcome.job.id}` }
  return { to: addressOf(JSON.parse(outcome.article.parts.join('')).id, language) }
}

export function addressOf(articleId: string, language: string): string {
  return `/read/articles/${articleId}?language=${language}`
}

function placeIn(address: string, webUrl: URL) {
  const url = URL.parse(address.trim())
  const base = webUrl.pathname.replace(/\/$/, '')
  const [, owner, repo, number] =
    (url?.origin === webUrl.origin && url.pathname.startsWith(`${base}/`)
      ? /^\/([\w.-]{1,100})\/([\w.-]{1,100})\/pull\/([1-9]\d{0,8})(?:\/|$)/.exec(url.pathname.slice(base.length))
      : null) ?? []
  if (!owner || !repo || !number) return undefined
  const name = { owner, repo }
  return { name, number: Number(number), address: `${webUrl.origin}${base}/${owner}/${repo}/pull/${number}` }
}

async function articleAt(
  ctx: Context,
  viewer: Viewer | undefined,
  { name, number }: NonNullable<ReturnType<typeof placeIn>>,
) {
  try {
    const { id, contents } = JSON.parse((await readArticle(ctx, viewer, name, number)).parts.join(''))
    return { id: id as string, languages: Object.keys(contents) }
  } catch (error) {
    if (error instanceof Problem && error.code.endsWith('NOT_FOUND')) return undefined
    throw error
  }
}

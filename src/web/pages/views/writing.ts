import { html, type SafeHtml } from '@remix-run/html-template'
import { findMedianSeconds } from '../../../db/articles/jobDurations.ts'
import { type ArticleJob, readJob } from '../../../domain/articles/jobs.ts'
import { statusOf } from '../../../errors.ts'
import { titleHtml } from '../../../writer/render/renderMarkdown.ts'
import { pageAddress } from '../addresses.ts'
import { languageLabel } from '../format.ts'
import { texts } from '../locale.ts'
import { type PageHandler, requireId, requireViewer } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { errorText } from './error.ts'

const REFRESH_SECONDS = 2
/** With fewer finished jobs, their times cannot predict how long the next one takes. */
const MIN_JOBS = 3
/** The duration that sets the speed of the progress bar if the typical one is not known. */
const ASSUMED_SECONDS = 60
const MIN_SECONDS = 10

/** Shows the progress of an article job, and redirects to the article once it is written. */
export const writing: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  const job = await readJob(ctx, viewer, requireId(visit.params['jobId']))
  if (job.status === 'succeeded' && job.articleId) return { to: pageAddress(job.articleId, job.language) }
  const t = texts[visit.locale]
  const place = `${job.repositoryFullName}#${job.prNumber}`
  const about = html`<p class="meta">${job.title ? html`<span lang="und" dir="auto">${titleHtml(job.title)}</span>` : ''} <span>${languageLabel(job.language, visit.locale)}</span></p>`
  if (job.status === 'failed')
    return {
      status: statusOf[job.error?.code ?? 'GENERATION_FAILED'],
      title: t.writingFailed,
      isPrivate: true,
      body: html`<section class="failure"><h1>${t.writingFailed}</h1><p>${place}</p>${about}<p>${errorText(t.errors, job.error?.code ?? '', job.error?.reason)}</p>${retryForm(t, place, job.language)}</section>`,
    }
  const typical = await findMedianSeconds(ctx.db, ctx.askModel ? 'model' : 'outline', MIN_JOBS)
  return {
    title: t.writing(place),
    isPrivate: true,
    refreshSeconds: REFRESH_SECONDS,
    body: html`<section class="writing" data-job="${job.id}" data-stages="${JSON.stringify(t.stages)}"><h1>${t.articleAbout(place)}</h1>${about}
${progressOf(t, job, elapsedSeconds(job, ctx.now()), typical)}
<p>${t.writingContinues} <a href="/read/me#asked">${t.askedFor}</a></p>
</section>`,
  }
}

function elapsedSeconds({ createdAt }: ArticleJob, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(createdAt)) / 1000))
}

/** The progress bar and the elapsed time. A script updates both between reports; without scripts, the page reloads. */
function progressOf(t: Texts, { stage, progress }: ArticleJob, elapsed: number, typical: number | null): SafeHtml {
  const seconds = typical === null ? null : Math.max(1, Math.round(typical))
  const clock = `${Math.floor(elapsed / 60)}:${String(elapsed % 60).padStart(2, '0')}`
  return html`<p><label for="progress">${t.stages[stage]}</label> <progress id="progress" max="1" value="${String(progress)}" data-stage="${stage}" data-typical="${String(Math.max(MIN_SECONDS, seconds ?? ASSUMED_SECONDS))}">${String(Math.round(progress * 100))} %</progress></p>
<p class="meta"><span>${t.elapsed} <span id="elapsed" data-seconds="${String(elapsed)}">${clock}</span></span> <span>${seconds === null ? t.usualDuration : t.typicalDuration(seconds)}</span></p>`
}

function retryForm(t: Texts, place: string, language: string): SafeHtml {
  return html`<form method="post" action="/read/open"><input type="hidden" name="address" value="${place}"><input type="hidden" name="language" value="${language}"><button>${t.tryAgain}</button></form>`
}

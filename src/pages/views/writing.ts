import { html, type SafeHtml } from '@remix-run/html-template'
import { pageAddress } from '../../articles/addresses.ts'
import { readJob } from '../../articles/jobs.ts'
import { languageLabel } from '../format.ts'
import { texts } from '../locale.ts'
import { type PageHandler, requireId, requireViewer } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { errorText } from './error.ts'

const REFRESH_SECONDS = 2

/** Shows the progress of an article job, and redirects to the article once it is written. */
export const writing: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  const job = await readJob(ctx, viewer, requireId(visit.params['jobId']))
  if (job.status === 'succeeded' && job.articleId) return { to: pageAddress(job.articleId, job.language) }
  const t = texts[visit.locale]
  const place = `${job.repositoryFullName}#${job.prNumber}`
  const about = html`<p class="meta"><span>${job.repositoryFullName} #${String(job.prNumber)}</span> <span>${languageLabel(job.language, visit.locale)}</span></p>`
  if (job.status === 'failed')
    return {
      status: 502,
      title: t.writingFailed,
      isPrivate: true,
      body: html`<section class="failure"><h1>${t.writingFailed}</h1>${about}<p>${errorText(t.errors, job.error?.code ?? '', job.error?.reason)}</p>${retryForm(t, place, job.language)}</section>`,
    }
  return {
    title: t.writing,
    isPrivate: true,
    refreshSeconds: REFRESH_SECONDS,
    body: html`<section class="writing" data-job="${job.id}" data-stages="${JSON.stringify(t.stages)}"><h1>${t.writing}</h1>${about}
<p>${t.writingContinues}</p>
<p><label for="progress">${t.stages[job.stage]}</label> <progress id="progress" max="1" value="${String(job.progress)}">${String(Math.round(job.progress * 100))} %</progress></p>
</section>`,
  }
}

function retryForm(t: Texts, place: string, language: string): SafeHtml {
  return html`<form method="post" action="/read/open"><input type="hidden" name="address" value="${place}"><input type="hidden" name="language" value="${language}"><button>${t.tryAgain}</button></form>`
}

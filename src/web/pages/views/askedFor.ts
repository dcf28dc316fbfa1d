import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../../generated/api.ts'
import { titleHtml } from '../../../writer/render/renderMarkdown.ts'
import { pageAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import type { Visit } from '../page.ts'
import type { Texts } from '../texts/ja.ts'
import { nextLink } from './tabs.ts'

type ArticleJob = components['schemas']['ArticleJob']
type ArticleJobsPage = components['schemas']['ArticleJobsPage']

/** The articles that the user asked for: written ones lead to the article, others to their progress. */
export function askedForSection(visit: Visit, { data: jobs, pagination }: ArticleJobsPage): SafeHtml {
  const t = texts[visit.locale]
  const { nextCursor } = pagination
  return html`<section aria-labelledby="asked"><h2 id="asked">${t.askedFor}</h2>
${jobs.length === 0 ? html`<p class="empty">${t.nothingAskedFor}</p>` : html`<ul class="list">${jobs.map((job) => jobItem(t, job))}</ul>`}
${nextLink(visit, t.earlierAskedFor, nextCursor && `/read/me?asked=${nextCursor}#asked`)}
</section>`
}

function jobItem(t: Texts, job: ArticleJob): SafeHtml {
  const { articleId, language, title, repositoryFullName, prNumber } = job
  const place = `${repositoryFullName} #${prNumber}`
  const address = articleId ? pageAddress(articleId, language) : `/read/writing/${job.id}`
  return html`<li><div><a href="${address}" dir="auto">${title ? titleHtml(title) : place}</a>
<p class="meta"><span>${place}</span> ${stateOf(t, job)}</p></div></li>`
}

function stateOf(t: Texts, { status, stage, progress }: ArticleJob): SafeHtml {
  if (status === 'failed') return html`<span>${t.writingFailed}</span>`
  const percent = Math.round(progress * 100)
  return status === 'succeeded'
    ? html`<span>${t.stages.done}</span>`
    : html`<span>${t.stages[stage]}</span> <progress max="1" value="${String(progress)}" aria-label="${t.stages[stage]}">${String(percent)} %</progress>`
}

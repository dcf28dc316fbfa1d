import { html, type SafeHtml } from '@remix-run/html-template'
import type { components } from '../../../../generated/api.ts'
import { readRepository } from '../../../domain/lists/readRepository.ts'
import { listMerges } from '../../../domain/merges/listMerges.ts'
import { NAME } from '../../../domain/repositories/parseAddress.ts'
import { repositoryNotFound } from '../../../domain/repositories/problems.ts'
import { mergesAddress, repositoryAddress } from '../addresses.ts'
import { texts } from '../locale.ts'
import type { PageHandler } from '../page.ts'
import { pathWith } from '../pathWith.ts'
import type { Texts } from '../texts/ja.ts'
import { followButton } from './followButton.ts'
import { mergeItem } from './mergeItem.ts'
import { nextLink, tabs } from './tabs.ts'
import { watchingNotice } from './watching.ts'

const LIMIT = 20
const STATUSES = ['written', 'queued', 'waiting', 'skipped', 'failed'] as const satisfies MergeStatus[]

type MergeStatus = components['schemas']['MergeStatus']

interface Filter {
  status: MergeStatus | undefined
  wanted: boolean
}

/** The merged pull requests of a repository, with the reasons why they became articles or did not. */
export const merges: PageHandler = async (visit, ctx) => {
  const t = texts[visit.locale]
  const { owner = '', name: repo = '' } = visit.params
  if (!NAME.test(owner) || !NAME.test(repo)) throw repositoryNotFound()
  const repository = await readRepository(ctx, visit.viewer, { owner, repo })
  const fullName = `${repository.owner}/${repository.name}`
  const { cursor, status, wanted } = visit.query
  const filter = {
    status: STATUSES.find((name) => name === status),
    wanted: repository.is_followed && wanted === 'true',
  }
  const place = { owner: repository.owner, repo: repository.name }
  const { data, pagination, watching } = await listMerges(ctx, visit.viewer, place, { limit: LIMIT, cursor, ...filter })
  const pathTo = (change: Partial<Filter>, after?: string) => {
    const { status, wanted } = { ...filter, ...change }
    return pathWith(mergesAddress(repository.owner, repository.name), {
      status,
      wanted: wanted ? 'true' : undefined,
      cursor: after,
    })
  }
  return {
    title: t.merges.title(fullName),
    isPrivate: true,
    body: html`<h1>${t.merges.title(fullName)}</h1>
<p>${t.merges.help}</p>
<div class="acts">${followButton(visit, fullName, repository.is_followed)}<p class="meta"><a href="${repositoryAddress(repository.owner, repository.name)}">${t.merges.articlesOf(fullName)}</a>${repository.is_followed ? html` <a href="/read/me#favorites">${t.merges.settings}</a>` : ''}</p></div>
${watchingNotice(visit, ctx, watching, repository)}
${filterTabs(t, filter, repository.is_followed, pathTo)}
${data.length > 0 ? html`<ul class="list merges">${data.map((merge) => mergeItem(visit, merge))}</ul>` : html`<p class="empty">${emptyText(t, filter, cursor)}</p>`}
${nextLink(visit, t.merges.older, pagination.nextCursor && pathTo({}, pagination.nextCursor))}`,
  }
}

function filterTabs(
  { merges: t }: Texts,
  { status, wanted }: Filter,
  isFollowed: boolean,
  pathTo: (change: Partial<Filter>) => string,
): SafeHtml {
  const scopes = [
    { text: t.wantedByAnyone, to: pathTo({ wanted: false }), isCurrent: !wanted },
    { text: t.wantedByMe, to: pathTo({ wanted: true }), isCurrent: wanted },
  ]
  return html`${tabs(t.filter, [
    { text: t.all, to: pathTo({ status: undefined }), isCurrent: status === undefined },
    ...STATUSES.map((name) => ({ text: t.states[name], to: pathTo({ status: name }), isCurrent: name === status })),
  ])}
${isFollowed ? tabs(t.whose, scopes) : ''}`
}

function emptyText({ merges: t }: Texts, { status, wanted }: Filter, cursor: string | undefined): string {
  if (cursor) return t.noMore
  return status || wanted ? t.noneFiltered : t.none
}

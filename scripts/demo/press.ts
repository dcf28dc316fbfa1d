import type { Api, Schemas } from './api.ts'
import { followJob } from './follow.ts'

export type Article = Schemas['PullRequestArticle']

export interface Pressed {
  article: Article
  /** The job that wrote it; undefined if the article already existed. */
  job: string | undefined
}

interface Place {
  owner: string
  repo: string
  number: number
}

type OnProgress = (stage: string, progress: number) => void

export function pathOf({ owner, repo, number }: Place): string {
  return `/repos/${owner}/${repo}/pulls/${number}`
}

/** Fetches a pull request and has its article written. */
export async function press(
  api: Api,
  place: Place,
  language: string | undefined,
  onProgress: OnProgress,
): Promise<Pressed> {
  const path = pathOf(place)
  onProgress('fetching', 0)
  await api.data<Schemas['PullRequest']>('POST', `${path}/ingest`)
  onProgress('requesting', 0)
  const response = await api.send('POST', `${path}/article`, {
    headers: { prefer: 'respond-async' },
    body: language ? { language } : undefined,
  })
  await response.body?.cancel()
  const job = response.status === 202 ? (response.headers.get('location') ?? undefined) : undefined
  if (job) await followJob(api, job, ({ stage, progress }) => onProgress(stage, progress))
  return { article: await api.data<Article>('GET', `${path}/article`), job }
}

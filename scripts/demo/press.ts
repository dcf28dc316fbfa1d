import type { Api, Schemas } from './api.ts'
import { followJob } from './follow.ts'
import type { SamplePull } from './samplePull.ts'

export type Article = Schemas['PullRequestArticle']

export interface Pressed {
  article: Article
  /** Where its writing was followed; undefined where it was there at once. */
  job: string | undefined
}

type Tell = (stage: string, progress: number) => void

export function pathOf({ owner, repo, number }: Pick<SamplePull, 'owner' | 'repo' | 'number'>): string {
  return `/repos/${owner}/${repo}/pulls/${number}`
}

/** Fetches a pull request and has its article written. */
export async function press(api: Api, pull: SamplePull, language: string | undefined, tell: Tell): Promise<Pressed> {
  const path = pathOf(pull)
  tell('fetching', 0)
  await api.data<Schemas['PullRequest']>('POST', `${path}/ingest`)
  tell('asking', 0)
  const asked = await api.send('POST', `${path}/article`, {
    headers: { prefer: 'respond-async' },
    body: language ? { language } : undefined,
  })
  await asked.body?.cancel()
  const job = asked.status === 202 ? (asked.headers.get('location') ?? undefined) : undefined
  if (job) await followJob(api, job, ({ stage, progress }) => tell(stage, progress))
  return { article: await api.data<Article>('GET', `${path}/article`), job }
}

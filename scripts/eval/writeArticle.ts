import type { Api, Schemas } from '../demo/api.ts'
import { DemoFailure } from '../demo/failure.ts'
import { followJob } from '../demo/follow.ts'
import { pathOf } from '../demo/press.ts'
import type { Content } from './articleMarkdown.ts'
import type { Place } from './subjects.ts'

export interface WrittenArticle {
  pull: Schemas['PullRequest']
  content: Content
  seconds: number
}

/** An article of many calls to a slow model takes long. */
const MAX_MINUTES = 120

export async function writeArticle(
  api: Api,
  place: Place,
  language: string,
  onProgress: (stage: string, progress: number) => void,
): Promise<WrittenArticle> {
  const path = pathOf(place)
  onProgress('fetching', 0)
  const pull = await api.data<Schemas['PullRequest']>('POST', `${path}/ingest`)
  const started = performance.now()
  const headers = { prefer: 'respond-async' }
  const response = await api.send('POST', `${path}/article`, { headers, body: { language } })
  await response.body?.cancel()
  const job = response.headers.get('location')
  if (job) await followJob(api, job, ({ stage, progress }) => onProgress(stage, progress), MAX_MINUTES)
  const seconds = (performance.now() - started) / 1000
  const { contents } = await api.data<Schemas['PullRequestArticle']>('GET', `${path}/article`)
  const content = contents[language]
  if (!content) throw new DemoFailure(`The article has no text in "${language}".`)
  return { pull, content, seconds }
}

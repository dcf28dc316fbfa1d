import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, Schemas } from './api.ts'
import { ScriptError } from './scriptError.ts'

const POLL_MS = 300

export interface Place {
  owner: string
  repo: string
  number: number
}

export function labelOf({ owner, repo, number }: Place): string {
  return `${owner}/${repo}#${number}`
}

/** Fetches a pull request and has its article written, in the user's language by default. */
export async function writeArticle(
  api: Api,
  { owner, repo, number }: Place,
  language?: string,
  onStage: (stage: string) => void = () => {},
) {
  const path = `/repos/${owner}/${repo}/pulls/${number}`
  const pull = await api.data<Schemas['PullRequest']>('POST', `${path}/ingest`)
  const headers = { prefer: 'respond-async' }
  const response = await api.send('POST', `${path}/article`, { headers, body: language ? { language } : {} })
  await response.body?.cancel()
  const job = response.headers.get('location')
  if (response.status === 202 && job) await waitForJob(api, job, onStage)
  return { pull, article: await api.data<Schemas['PullRequestArticle']>('GET', `${path}/article`) }
}

async function waitForJob(api: Api, location: string, onStage: (stage: string) => void): Promise<void> {
  for (let known = ''; ; await sleep(POLL_MS)) {
    const { status, stage, error } = await api.data<Schemas['ArticleJob']>('GET', location)
    if (status === 'succeeded') return
    if (status === 'failed') throw new ScriptError(error ? `${error.message} (${error.code})` : 'The job failed.')
    if (stage !== known) onStage(stage)
    known = stage
  }
}

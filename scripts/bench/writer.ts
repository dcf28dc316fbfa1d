import { startFakeModel } from '../../test/support/fakeModel.ts'
import { harmless } from '../../test/support/hostile/files.ts'
import { startFakeHost } from '../fakeHost/fakeHost.ts'
import { serveAsWorker } from './worker.ts'

const ARTICLES = 40
const PATCH_CHARACTERS = 20_000

const host = await startFakeHost()
const model = await startFakeModel()
const unlimited = { ARTICLE_QUOTA_PER_DAY: '100000', MODEL_TOKENS_PER_DAY: '1000000000000' }
const env = { ...model.env, CODE_HOST_API_URL: host.url, ...unlimited }

await serveAsWorker(env, async ({ url }) => {
  const headers = { authorization: `Bearer ${host.token('writer')}`, prefer: 'wait=60' }
  const repository = host.repository({ id: 1, owner: 'acme', name: 'shop', pulls: [] })
  const post = async (path: string): Promise<void> => {
    const answer = await fetch(url + path, { method: 'POST', headers })
    const body = await answer.text()
    if (answer.status === 202) return post(path)
    if (!answer.ok) throw new Error(`${path} returned ${answer.status}: ${body}`)
  }
  await post('/auth/signup')
  return async () => {
    const pulls = repository.pulls ?? []
    const numbers = Array.from({ length: ARTICLES }, (_, i) => pulls.length + i + 1)
    pulls.push(...numbers.map((number) => ({ number, files: harmless(PATCH_CHARACTERS) })))
    await Promise.all(numbers.map((number) => post(`/repos/acme/shop/pulls/${number}/article`)))
    return ARTICLES
  }
})

import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../../support/articles.ts'
import { paramsOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())

test('shows nothing to a token that can see the repository but not its contents', async () => {
  const member = await service.signedUp('member')
  const place = aPull(service, {}, { private: true, members: ['member'], describedTo: ['tool'] })
  const { id } = await articlesOf(service).generated(place, member)
  const tool = await service.signedUp('tool')
  const params = paramsOf(place)
  const { owner = '', repo = '' } = params
  for (let round = 0; round < 2; round++)
    for (const [operation, ask] of [
      ['getPullRequest', { params }],
      ['ingestPullRequest', { params }],
      ['listPullRequests', { params: { owner, repo } }],
      ['getArticle', { params }],
      ['generateArticle', { params }],
      ['getArticleById', { params: { articleId: id } }],
      ['likeArticle', { params: { articleId: id, langCode: 'ja' } }],
      ['registerFavorite', { body: { owner, repo } }],
    ] as const)
      expect((await service.call(operation, { token: tool, ...ask })).status, operation).toBe(404)
  expect((await service.call('getArticleById', { token: member, params: { articleId: id } })).status).toBe(200)
})

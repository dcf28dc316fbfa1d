import { afterAll, expect, test } from 'vitest'
import { operations } from '../../../generated/operations.ts'
import { operationIds } from '../../support/contract.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const token = await service.signedUp('hanako')

const bodies: Record<string, object> = {
  signUp: { language: 'zz' },
  updateCurrentUser: { language: 'zz' },
  generateArticle: { language: 'zz' },
}
const asking = operationIds.flatMap((operationId): [string, string][] => {
  const { path, queryNames } = operations[operationId]
  const names: readonly string[] = queryNames
  return [
    ...(path.includes('{langCode}') ? [[operationId, 'path'] as [string, string]] : []),
    ...names
      .filter((name) => name === 'language' || name === 'lang')
      .map((name): [string, string] => [operationId, name]),
    ...(operationId in bodies ? [[operationId, 'body'] as [string, string]] : []),
  ]
})

test('the operations with a language are these', () => {
  expect(asking.map(([operationId]) => operationId).sort()).toEqual(
    ['generateArticle', 'getArticle', 'getArticleById', 'getArticleRanking', 'likeArticle', 'listArticles'].concat([
      'listLikedArticles',
      'listLikedArticles',
      'reportMistake',
      'signUp',
      'unlikeArticle',
      'updateCurrentUser',
    ]),
  )
})

test.each(asking)('%s refuses a code in its %s that is assigned to no language', async (operationId, where) => {
  const { method, path, body } = operations[operationId as keyof typeof operations]
  const known: Record<string, string> = { number: '1', langCode: where === 'path' ? 'zz' : 'ja' }
  const url = path.replace(/{(\w+)}/g, (_, name) => known[name] ?? (name.endsWith('Id') ? crypto.randomUUID() : 'x'))
  const sent = where === 'body' ? bodies[operationId] : { description: 'Wrong.' }
  const headers = { authorization: `Bearer ${token}`, ...(body !== 'none' && { 'content-type': 'application/json' }) }
  const init = { headers, ...(body !== 'none' && { body: JSON.stringify(sent) }) }
  const isQuery = where !== 'path' && where !== 'body'
  const answer = await service.send(method, isQuery ? `${url}?${where}=zz` : url, init)
  const [issue] = answer.body.error.details?.issues ?? []
  expect([answer.status, issue?.message]).toEqual([400, 'must be a language code of ISO 639-1, such as ja'])
})

import { afterAll, expect, test } from 'vitest'
import { operations } from '../../../generated/operations.ts'
import { operationIds } from '../../support/contract.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const token = await service.signedUp('hanako')

test.each(operationIds)('%s refuses a query parameter that it does not declare, and names it', async (operationId) => {
  const { method, path, body } = operations[operationId]
  const known: Record<string, string> = { number: '1', langCode: 'ja' }
  const url = path.replace(/{(\w+)}/g, (_, name) => known[name] ?? (name.endsWith('Id') ? crypto.randomUUID() : 'x'))
  const headers = { authorization: `Bearer ${token}`, ...(body !== 'none' && { 'content-type': 'application/json' }) }
  const init = { headers, ...(body !== 'none' && { body: '{}' }) }
  const answer = await service.send(method, `${url}?perod=weekly`, init)
  expect([answer.status, answer.body.error.details?.issues]).toMatchObject([400, [{ path: '/perod' }]])
})

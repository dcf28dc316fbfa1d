import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { requestIds } from '../../../src/web/api/requestId.ts'

const UUID = '0199d1a5-3c1e-7a52-9d1f-6f0f6c1b2a10'
const from = (remoteAddress: string | undefined, id?: string | string[]) =>
  ({ headers: { 'x-request-id': id }, socket: { remoteAddress } }) as unknown as IncomingMessage

test.each([
  ['a UUID', UUID],
  ['the id of nginx', '444535f9378a3dfa1b8604bc9e05a303'],
  ['a short text', 'edge-1.22_a'],
])('keeps %s that a trusted proxy has sent', (_, id) => {
  const idOf = requestIds(['10.0.0.0/8', '127.0.0.1', '::1', 'fd00::/8'])
  for (const address of ['10.2.3.4', '::ffff:10.2.3.4', '127.0.0.1', '::ffff:127.0.0.1', '::1', 'fd12::3'])
    expect([address, idOf(from(address, id))]).toEqual([address, id])
})

test.each([
  ['another address', ['10.0.0.0/8', '::1'], '11.2.3.4', UUID],
  ['an address of the other kind', ['0.0.0.0/0'], 'fd12::3', UUID],
  ['an unknown address', ['10.0.0.0/8'], undefined, UUID],
  ['a service without proxies', [], '127.0.0.1', UUID],
  ['no id', ['127.0.0.1'], '127.0.0.1', undefined],
  ['an empty id', ['127.0.0.1'], '127.0.0.1', ''],
  ['a long id', ['127.0.0.1'], '127.0.0.1', 'a'.repeat(65)],
  ['two ids', ['127.0.0.1'], '127.0.0.1', 'a, b'],
  ['a line break', ['127.0.0.1'], '127.0.0.1', 'a\nb'],
  ['markup', ['127.0.0.1'], '127.0.0.1', '"}<b>'],
])('makes a new id for %s', (_, proxies, address, id) => {
  expect(requestIds(proxies)(from(address, id))).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}$/)
})

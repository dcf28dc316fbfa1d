import { contract } from '../contract.ts'
import { type Handler, reply } from '../web/api/handler.ts'

export const getHealth: Handler<'getHealth'> = async () =>
  reply(200, { ok: true, version: contract.info.version, checks: { process: { state: 'up' } } }, 'Alive.')

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerOrganization, type FakeOrganization } from './answerOrganization.ts'
import { ABSENT, answerRepository, answerSearch, type FakeAnswer, refusal } from './answerRepository.ts'
import { fakeOAuth } from './fakeOAuth.ts'
import type { FakeRepository } from './fakeRepository.ts'
import type { Fault } from './faults.ts'
import { idOf, sha } from './ids.ts'
import { type Profile, renderProfile } from './renderUser.ts'

interface Call {
  path: string
  authorization: string | undefined
  unchanged?: boolean
}

/** A request and its response. Requests that a fault answered are not included. */
export interface Exchange {
  method: string
  url: URL
  accept: string | undefined
  apiVersion: string | undefined
  status: number
  headers: Record<string, string>
  text: string
}

interface Options {
  /** Returns the user of a token that was not added with `token` or `admit`. */
  loginOf?: (token: string) => string | undefined
}

export type FakeHost = Awaited<ReturnType<typeof startFakeHost>>

/** A code host over HTTP with users, repositories, members, pull requests, ETags per token, and faults. */
export async function startFakeHost({ loginOf = () => undefined }: Options = {}) {
  const logins = new Map<string, string>()
  const profiles = new Map<string, Profile>()
  const repositories: FakeRepository[] = []
  const organizations: FakeOrganization[] = []
  const formerNames = new Map<string, number>()
  const calls: Call[] = []
  const faults: Fault[] = []
  const listeners: ((exchange: Exchange) => void)[] = []

  const oauth = fakeOAuth({ create: (login) => newToken(login), revoke: (token) => void logins.delete(token) })
  const server = createServer(receive).listen(0, '127.0.0.1')
  await once(server, 'listening')

  function receive(request: IncomingMessage, response: ServerResponse): unknown {
    const { authorization, accept = '' } = request.headers
    const path = urlOf(request).pathname
    const call: Call = { path, authorization }
    calls.push(call)
    const fault = faults.find(
      (candidate) =>
        (candidate.times ?? 1) > 0 && candidate.path.test(path) && (candidate.accept?.test(accept) ?? true),
    )
    if (fault) {
      fault.times = (fault.times ?? 1) - 1
      return fault.act(request, response)
    }
    if (oauth.answers(request, response)) return
    return answer(request, response, call)
  }

  /** Sends the usual response, without faults. */
  function answer(request: IncomingMessage, response: ServerResponse, call: Call = { path: '', authorization: '' }) {
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    const { status, body, headers } = answerOf(request, token)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const etag = `W/"${sha(`${token} ${text}`)}"`
    call.unchanged = status === 200 && request.headers['if-none-match'] === etag
    if (call.unchanged) return send(request, response, { status: 304, headers: { etag }, text: '' })
    const type = typeof body === 'string' ? 'text/plain' : 'application/json'
    return send(request, response, {
      status,
      headers: { 'content-type': `${type}; charset=utf-8`, etag, ...headers },
      text,
    })
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, text }: Pick<Exchange, 'status' | 'headers' | 'text'>,
  ) {
    const { method = '' } = request
    const { accept, 'x-github-api-version': version } = request.headers
    const apiVersion = version === undefined ? undefined : String(version)
    for (const listener of listeners)
      listener({ method, url: urlOf(request), accept, apiVersion, status, headers, text })
    return response.writeHead(status, headers).end(text)
  }

  function answerOf(request: IncomingMessage, token: string | undefined): FakeAnswer {
    const url = urlOf(request)
    const { accept = '' } = request.headers
    const login = token === undefined ? undefined : (logins.get(token) ?? loginOf(token))
    if (token !== undefined && login === undefined) return refusal(401, 'Bad credentials')
    if (url.pathname === '/user') {
      if (login === undefined) return refusal(401, 'Requires authentication')
      return {
        status: 200,
        body: renderProfile(login, profiles.get(login)),
        headers: { 'x-oauth-scopes': 'repo, read:user' },
      }
    }
    const [, id] = /^\/user\/(\d+)$/.exec(url.pathname) ?? []
    if (id) {
      const found = [...profiles.keys()].find((candidate) => idOf(candidate) === Number(id))
      return found ? { status: 200, body: renderProfile(found, profiles.get(found)) } : ABSENT
    }
    const ofOrganization = answerOrganization(organizations, url.pathname, login)
    if (ofOrganization) return ofOrganization
    if (url.pathname === '/search/repositories') return answerSearch(repositories, { url, accept, login })
    return answerRepository({ repositories, formerNames }, { url, accept, login })
  }

  /** Creates a user and an access token. */
  function newToken(login: string, profile: Profile = { name: `The ${login}`, email: null }): string {
    const token = `host-token-${randomBytes(12).toString('hex')}`
    logins.set(token, login)
    profiles.set(login, profile)
    return token
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    repositories,
    tokens: () => [...logins.keys()],
    idOf,
    oauth,
    token: newToken,
    /** Accepts a token that was created elsewhere. */
    admit: (token: string, login: string) => void logins.set(token, login),
    revoke: (token: string) => void logins.delete(token),
    rename: (login: string, profile: Profile) => void profiles.set(login, profile),
    repository(repository: FakeRepository): FakeRepository {
      repositories.push(repository)
      return repository
    },
    organization(organization: FakeOrganization): FakeOrganization {
      organizations.push(organization)
      return organization
    },
    moved: (formerName: string, id: number) => void formerNames.set(formerName.toLowerCase(), id),
    remove: (repository: FakeRepository) => void repositories.splice(repositories.indexOf(repository), 1),
    answer,
    onExchange: (listener: (exchange: Exchange) => void) => void listeners.push(listener),
    fail: (...added: Fault[]) => void faults.push(...added),
    heal: () => void faults.splice(0),
    callsTo: (path: string) => calls.filter((call) => call.path === path).length,
    /** The calls made during `work`; `free` counts those answered with 304. */
    async during(work: () => Promise<unknown>) {
      const before = calls.length
      await work()
      const made = calls.slice(before)
      return {
        paths: made.map((call) => call.path).sort(),
        count: made.length,
        free: made.filter((call) => call.unchanged).length,
        to: (pattern: RegExp) => made.filter((call) => pattern.test(call.path)).length,
      }
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function urlOf({ url = '/', headers }: IncomingMessage): URL {
  return new URL(`http://${headers.host ?? 'host'}${url}`)
}

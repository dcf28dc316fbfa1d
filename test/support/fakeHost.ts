import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fakeOAuth } from './fakeOAuth.ts'
import { answerPulls, type FakePull, type PullAnswer } from './fakePulls.ts'

export interface FakeRepository {
  id: number
  owner: string
  name: string
  private?: boolean
  members?: string[]
  /** Users who can see that the repository exists, but not its contents. */
  describedTo?: string[]
  pulls?: FakePull[]
}

/** Replaces the response of the host for matching paths, `times` times. */
export interface Fault {
  path: RegExp
  /** Applies only to requests with a matching Accept header. */
  accept?: RegExp
  times?: number
  act: (request: IncomingMessage, response: ServerResponse) => unknown
}

interface Call {
  path: string
  authorization: string | undefined
  unchanged?: boolean
}

export type FakeHost = Awaited<ReturnType<typeof startFakeHost>>

/** A code host over HTTP with users, repositories, members, pull requests, ETags per token, and faults. */
export async function startFakeHost() {
  const logins = new Map<string, string>()
  const profiles = new Map<string, { name: string | null; email: string | null }>()
  const repositories: FakeRepository[] = []
  const formerNames = new Map<string, number>()
  const calls: Call[] = []
  const faults: Fault[] = []

  const idOf = (login: string) => createHash('sha1').update(login).digest().readUInt32BE() + 1
  const server = createServer(receive)
  const oauth = fakeOAuth((login) => newToken(login))

  function receive(request: IncomingMessage, response: ServerResponse): unknown {
    const url = new URL(request.url ?? '/', 'http://host')
    const path = url.pathname
    const { authorization } = request.headers
    const call: Call = { path, authorization }
    calls.push(call)
    const accept = request.headers.accept ?? ''
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

  /** The response without faults. */
  function answer(request: IncomingMessage, response: ServerResponse, call: Call = { path: '', authorization: '' }) {
    const url = new URL(request.url ?? '/', 'http://host')
    const path = url.pathname
    const { authorization, accept = '' } = request.headers
    const token = authorization?.replace(/^Bearer /, '')
    const login = logins.get(token ?? '')
    if (token !== undefined && login === undefined) return json(response, 401, { message: 'Bad credentials' })
    if (path === '/user') {
      return login === undefined
        ? json(response, 401, { message: 'Requires authentication' })
        : json(response, 200, user(login), { 'x-oauth-scopes': 'repo, read:user' })
    }
    const byId = /^\/user\/(\d+)$/.exec(path)
    if (byId) {
      const found = [...profiles.keys()].find((candidate) => idOf(candidate) === Number(byId[1]))
      return found ? json(response, 200, user(found)) : json(response, 404, { message: 'Not Found' })
    }
    const { status, body, headers = {} } = answerRepository(url, login, accept)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const etag = `W/"${createHash('sha1').update(`${token} ${text}`).digest('hex')}"`
    call.unchanged = status === 200 && request.headers['if-none-match'] === etag
    if (call.unchanged) return response.writeHead(304, { etag }).end()
    const type = typeof body === 'string' ? 'text/plain' : 'application/json; charset=utf-8'
    return response.writeHead(status, { 'content-type': type, etag, ...headers }).end(text)
  }

  function answerRepository(url: URL, login: string | undefined, accept: string): PullAnswer {
    const [, byName, owner, name, byId, rest = ''] =
      /^(\/repos\/([^/]+)\/([^/]+)|\/repositories\/(\d+))(\/.*)?$/.exec(url.pathname) ?? []
    const movedTo = owner && formerNames.get(`${owner}/${name}`.toLowerCase())
    if (movedTo) return { status: 301, body: {}, headers: { location: `/repositories/${movedTo}${rest}${url.search}` } }
    const found = repositories.find((candidate) =>
      byId
        ? candidate.id === Number(byId)
        : byName && `${candidate.owner}/${candidate.name}`.toLowerCase() === `${owner}/${name}`.toLowerCase(),
    )
    const isMember = !found?.private || found.members?.includes(login ?? '')
    const isDescribed = isMember || found?.describedTo?.includes(login ?? '')
    if (!found || !isDescribed) return { status: 404, body: { message: 'Not Found' } }
    if (rest !== '' && !isMember) return { status: 403, body: { message: 'Resource not accessible by this token' } }
    if (rest !== '') return answerPulls(found, rest, url, accept)
    return {
      status: 200,
      body: {
        id: found.id,
        name: found.name,
        full_name: `${found.owner}/${found.name}`,
        private: found.private ?? false,
        owner: { login: found.owner, id: idOf(found.owner) },
      },
    }
  }

  function user(login: string) {
    return { id: idOf(login), login, avatar_url: `https://avatars.example.com/${login}`, ...profiles.get(login) }
  }

  /** Creates a user and an access token. */
  function newToken(
    login: string,
    profile = { name: `The ${login}` as string | null, email: null as string | null },
  ): string {
    const token = `host-token-${randomBytes(12).toString('hex')}`
    logins.set(token, login)
    profiles.set(login, profile)
    return token
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
    rename(login: string, profile: { name: string | null; email: string | null }) {
      profiles.set(login, profile)
    },
    repository(repository: FakeRepository): FakeRepository {
      repositories.push(repository)
      return repository
    },
    moved(formerName: string, id: number) {
      formerNames.set(formerName.toLowerCase(), id)
    },
    remove(repository: FakeRepository) {
      repositories.splice(repositories.indexOf(repository), 1)
    },
    answer,
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

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body))
}

export const faults = {
  status: (status: number, headers: Record<string, string> = {}, body = { message: 'Fault' }) => {
    return (_: IncomingMessage, response: ServerResponse) => json(response, status, body, headers)
  },
  hang: () => {},
  reset: (request: IncomingMessage) => void request.socket.destroy(),
  cutJson: (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id": 1, "log'),
  redirect: (location: string) => (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(302, { location }).end(),
}

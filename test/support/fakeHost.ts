import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeRepository {
  id: number
  owner: string
  name: string
  private?: boolean
  members?: string[]
}

/** What the host does instead of answering, for paths that match, as often as said. */
export interface Fault {
  path: RegExp
  times?: number
  act: (request: IncomingMessage, response: ServerResponse) => unknown
}

export type FakeHost = Awaited<ReturnType<typeof startFakeHost>>

/** A code host over HTTP that knows users, repositories, who may see them, former names, and faults. */
export async function startFakeHost() {
  const logins = new Map<string, string>()
  const profiles = new Map<string, { name: string | null; email: string | null }>()
  const repositories: FakeRepository[] = []
  const formerNames = new Map<string, number>()
  const calls: { path: string; authorization: string | undefined }[] = []
  const faults: Fault[] = []

  const idOf = (login: string) => createHash('sha1').update(login).digest().readUInt32BE() + 1
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://host').pathname
    const { authorization } = request.headers
    calls.push({ path, authorization })
    const fault = faults.find((candidate) => (candidate.times ?? 1) > 0 && candidate.path.test(path))
    if (fault) {
      fault.times = (fault.times ?? 1) - 1
      return fault.act(request, response)
    }
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
    return answerRepository(path, login, response)
  })

  function answerRepository(path: string, login: string | undefined, response: ServerResponse) {
    const [, owner, name] = /^\/repos\/([^/]+)\/([^/]+)$/.exec(path) ?? []
    const movedTo = owner && formerNames.get(`${owner}/${name}`.toLowerCase())
    if (movedTo) return response.writeHead(301, { location: `/repositories/${movedTo}` }).end()
    const id = Number(/^\/repositories\/(\d+)$/.exec(path)?.[1])
    const found = repositories.find(
      (candidate) =>
        candidate.id === id ||
        (candidate.owner.toLowerCase() === owner?.toLowerCase() &&
          candidate.name.toLowerCase() === name?.toLowerCase()),
    )
    if (!found || (found.private && !found.members?.includes(login ?? '')))
      return json(response, 404, { message: 'Not Found' })
    return json(response, 200, {
      id: found.id,
      name: found.name,
      full_name: `${found.owner}/${found.name}`,
      private: found.private ?? false,
      owner: { login: found.owner, id: idOf(found.owner) },
    })
  }

  function user(login: string) {
    return { id: idOf(login), login, avatar_url: `https://avatars.example.com/${login}`, ...profiles.get(login) }
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    tokens: () => [...logins.keys()],
    idOf,
    /** A new access token of a user who springs into being. */
    token(login: string, profile = { name: `The ${login}` as string | null, email: null as string | null }): string {
      const token = `host-token-${randomBytes(12).toString('hex')}`
      logins.set(token, login)
      profiles.set(login, profile)
      return token
    },
    withdraw: (token: string) => void logins.delete(token),
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
    fail: (...added: Fault[]) => void faults.push(...added),
    heal: () => void faults.splice(0),
    callsTo: (path: string) => calls.filter((call) => call.path === path).length,
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

/** Faults by name. */
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

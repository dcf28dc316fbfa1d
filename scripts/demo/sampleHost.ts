import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shaOf } from './sampleFile.ts'
import { diffOf, headOf, idOf, partOf, repositoryOf, type SamplePull, summaryOf, wholeOf } from './samplePull.ts'

interface Answer {
  status: number
  body: object | string
  headers?: Record<string, string>
}

export const READER = 'reader'
const ABSENT: Answer = { status: 404, body: { message: 'Not Found' } }
const UNAUTHENTICATED: Answer = { status: 401, body: { message: 'Requires authentication' } }

/** The token of a user; any token of another form belongs to the reader. */
export function tokenOf(login: string): string {
  return `${login}-token`
}

/** The part of GitHub’s REST API that the service calls, with the sample pull requests. */
export async function startSampleHost(pulls: SamplePull[]) {
  const server = createServer((request, response) => send(request, response, answer(request))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const hostUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function answer({ url = '/', headers: { authorization, accept = '' } }: IncomingMessage): Answer {
    const { pathname, searchParams } = URL.parse(url, hostUrl) ?? new URL(hostUrl)
    if (pathname === '/user') return authorization ? ownerOf(authorization) : UNAUTHENTICATED
    const [, owner, repo, id, rest = ''] =
      /^\/(?:repos\/([^/]+)\/([^/]+)|repositories\/(\d+))(?:\/(.*))?$/.exec(pathname) ?? []
    if (!owner && !id) return page(pathname)
    const known = pulls.filter((pull) => (id ? repositoryOf(pull).id === Number(id) : isIn(pull, `${owner}/${repo}`)))
    return answerOf(known, rest, searchParams, accept)
  }

  function answerOf(known: SamplePull[], rest: string, query: URLSearchParams, accept: string): Answer {
    const [first] = known
    if (!first) return ABSENT
    if (rest === '') return { status: 200, body: repositoryOf(first) }
    if (rest === 'pulls') return { status: 200, body: listed(known, query) }
    const [, kind = '', number, part = ''] = /^(pulls|issues)\/(\d+)(\/\w+)?$/.exec(rest) ?? []
    const pull = known.find((candidate) => candidate.number === Number(number))
    if (!pull) return ABSENT
    if (part) return paged(partOf(pull, kind + part), query)
    return { status: 200, body: /diff/.test(accept) ? diffOf(pull) : wholeOf(pull, hostUrl) }
  }

  function listed(known: SamplePull[], query: URLSearchParams): object[] {
    const state = query.get('state') ?? 'open'
    return inPage(
      known
        .map((pull) => summaryOf(pull, hostUrl))
        .filter((pull) => state === 'all' || pull.state === state)
        .toSorted((a, b) => b.created_at.localeCompare(a.created_at)),
      query,
    )
  }

  /** The link targets of articles: the diff, or its section about one file. */
  function page(path: string): Answer {
    const [, name = '', number, sha, file] =
      /^\/([^/]+\/[^/]+)\/(?:pull\/(\d+)(?:\/.*)?|blob\/(\w+)\/(.+))$/.exec(path) ?? []
    const pull = pulls.find(
      (candidate) => isIn(candidate, name) && (candidate.number === Number(number) || headOf(candidate) === sha),
    )
    if (!pull) return ABSENT
    const section = pull.files.find(({ filename }) => encodeURI(filename) === file)?.section
    return { status: 200, body: section ?? diffOf(pull) }
  }

  return {
    url: hostUrl,
    close(): void {
      server.close()
      server.closeAllConnections()
    },
  }
}

function ownerOf(authorization: string): Answer {
  const login = /^Bearer ([a-z\d-]+)-token$/.exec(authorization)?.[1] ?? READER
  const body = { id: idOf(login), login, name: null, email: null }
  return { status: 200, body, headers: { 'x-oauth-scopes': 'public_repo, read:user' } }
}

function isIn({ owner, repo }: SamplePull, name: string): boolean {
  return `${owner}/${repo}`.toLowerCase() === name.toLowerCase()
}

function paged(items: object[] | undefined, query: URLSearchParams): Answer {
  return items ? { status: 200, body: inPage(items, query) } : ABSENT
}

/** All sample lists fit into the first page that the service requests. */
function inPage(items: object[], query: URLSearchParams): object[] {
  const size = Number(query.get('per_page') ?? 30)
  const start = (Number(query.get('page') ?? 1) - 1) * size
  return items.slice(start, start + size)
}

function send(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Answer): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const etag = `"${shaOf(text)}"`
  const isKnown = status === 200 && request.headers['if-none-match'] === etag
  const type = typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(isKnown ? 304 : status, { 'content-type': type, etag, ...headers }).end(isKnown ? '' : text)
}

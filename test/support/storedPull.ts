import { Octokit } from '@octokit/rest'
import { answerRepository } from '../../scripts/fakeHost/answerRepository.ts'
import type { FakePull, FakeRepository } from '../../scripts/fakeHost/fakeRepository.ts'
import type { Threads } from '../../src/context.ts'
import { fetchWhole } from '../../src/domain/pulls/fetch.ts'
import type { CodeHost } from '../../src/host/codeHost.ts'
import { decodeAnswer, decodingWith } from '../../src/host/decode.ts'
import { issueCalls } from '../../src/host/issues.ts'
import { pullRequestCalls } from '../../src/host/pullRequests.ts'
import { tasks } from '../../src/thread.ts'
import { changed } from './pulls.ts'

export interface StoredPull {
  document: Uint8Array
  hostPrUrl: string
  headSha: string
}

/** Runs tasks on the event loop. */
const threads: Pick<Threads, 'run'> = {
  // biome-ignore lint/suspicious/noExplicitAny: the type of a task follows from its name
  run: async (name, input) => (tasks[name] as any)(input),
}
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Stores a pull request of a fake repository, with the code of the service and without HTTP and a database. */
export async function storedPull(
  pull: Partial<FakePull> = {},
  repository: Partial<FakeRepository> = {},
): Promise<StoredPull> {
  const files = pull.files ?? [changed('src/app.ts')]
  const pulls = [{ number: 1, title: 'A change', ...pull, files }]
  const whole = { id: 1, owner: 'acme', name: 'paper', ...repository, pulls }
  const host = hostOf(whole)
  const credential = { token: undefined }
  const found = await host.pullRequest(credential, { owner: whole.owner, name: whole.name, number: 1 }, null)
  if (!found || found.unchanged) throw new TypeError('The fake host does not know the pull request.')
  const options = {
    ...{ previous: null, rereadConversation: false },
    ...{ threads: threads as Threads, now: () => new Date('2026-01-02T00:00:00Z') },
  }
  const { document, facts } = await fetchWhole(host, credential, { pull: found.value, etag: null }, options)
  return { document, hostPrUrl: facts.hostPrUrl, headSha: facts.headSha }
}

function hostOf(repository: FakeRepository): CodeHost {
  const decode = decodingWith(async (encoded) => decodeAnswer(encoded))
  const fetch = async (href: string, { headers }: { headers: Record<string, string> }): Promise<Response> => {
    const asked = { url: new URL(href), accept: headers['accept'] ?? '', login: undefined }
    const answer = answerRepository({ repositories: [repository], formerNames: new Map() }, asked)
    const { location } = answer.headers ?? {}
    if (location) return fetch(location, { headers })
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
    return new Response(text, answer)
  }
  const octokit = new Octokit({ request: { fetch, parseSuccessResponseBody: false }, log: silent })
  return { ...pullRequestCalls(octokit, decode), ...issueCalls(octokit, decode) } as CodeHost
}

import type { Config } from '../../src/config/config.ts'
import { pullIn } from '../../src/pages/places.ts'
import { DemoFailure } from '../demo/failure.ts'
import { samples } from '../demo/samples.ts'
import { startFakeHost } from '../fakeHost/fakeHost.ts'

export interface Place {
  owner: string
  repo: string
  number: number
}

/** The pull requests to write about, and where they are. */
export interface Subjects {
  places: Place[]
  host: { apiUrl: string; webUrl: string; token: string }
  close(): Promise<void>
}

/** The addresses on the configured code host, or the samples on a fake one. */
export async function openSubjects(addresses: string[], { apiUrl, webUrl, token }: Config['codeHost']) {
  if (addresses.length === 0) return openSamples()
  const places = addresses.map((address) => placeOf(address, webUrl))
  if (!token) throw new DemoFailure('CODE_HOST_TOKEN is required to read pull requests of the code host.')
  const host = { apiUrl: apiUrl.href, webUrl: webUrl.href, token: token.reveal() }
  return { places: unique(places), host, close: async () => {} } satisfies Subjects
}

async function openSamples(): Promise<Subjects> {
  const host = await startFakeHost({ loginOf: () => 'reader' })
  for (const repository of samples) host.repository({ ...repository, webUrl: host.url })
  return {
    places: samples.flatMap(({ owner, name: repo, pulls }) => pulls.map(({ number }) => ({ owner, repo, number }))),
    host: { apiUrl: host.url, webUrl: host.url, token: 'reader-token' },
    close: host.close,
  }
}

function placeOf(address: string, webUrl: URL): Place {
  const found = pullIn(address, webUrl)
  if (!found) throw new DemoFailure(`Not a pull request of ${webUrl.href} (CODE_HOST_WEB_URL): ${address}`)
  return { ...found.name, number: found.number }
}

function unique(places: Place[]): Place[] {
  return [...new Map(places.map((place) => [labelOf(place).toLowerCase(), place])).values()]
}

export function labelOf({ owner, repo, number }: Place): string {
  return `${owner}/${repo}#${number}`
}

/** The name of its files; the same in every run. */
export function fileNameOf({ owner, repo, number }: Place): string {
  return `${owner}_${repo}_${number}`
}

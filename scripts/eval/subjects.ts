import { pullIn } from '../../src/domain/repositories/parseAddress.ts'
import type { Config } from '../../src/runtime/config/config.ts'
import { samples } from '../demo/samples.ts'
import { ScriptError } from '../demo/scriptError.ts'
import { labelOf, type Place } from '../demo/writeArticle.ts'
import { startFakeHost } from '../fakeHost/fakeHost.ts'

/** The pull requests to write about, and where they are: on the configured code host, or the samples on a fake one. */
export async function openSubjects(addresses: string[], { apiUrl, webUrl, token }: Config['codeHost']) {
  if (addresses.length === 0) return openSamples()
  const places = addresses.map((address) => placeOf(address, webUrl))
  if (!token) throw new ScriptError('CODE_HOST_TOKEN is required to read pull requests of the code host.')
  const host = { apiUrl: apiUrl.href, webUrl: webUrl.href, token: token.reveal() }
  return { places: unique(places), host, close: async () => {} }
}

async function openSamples() {
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
  if (!found) throw new ScriptError(`Not a pull request of ${webUrl.href} (CODE_HOST_WEB_URL): ${address}`)
  return { ...found.name, number: found.number }
}

function unique(places: Place[]): Place[] {
  return [...new Map(places.map((place) => [labelOf(place).toLowerCase(), place])).values()]
}

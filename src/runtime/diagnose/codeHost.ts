import { createCodeHost } from '../../host/codeHost.ts'
import { decodeAnswer, decodingWith } from '../../host/decode.ts'
import { HostRateLimited } from '../../host/errors.ts'
import type { Config } from '../config/config.ts'
import { type Finding, messageOf } from './finding.ts'

const TIMEOUT_MS = 10_000
/** Any account will do: the call shows that the code host answers. */
const SOME_ACCOUNT = 1
const part = 'code host'

export async function checkCodeHost(config: Config): Promise<Finding[]> {
  return [await callHost(config), ...checkAutomaticArticles(config)]
}

function checkAutomaticArticles({ codeHost, automaticArticles }: Config): Finding[] {
  if (!automaticArticles.areWanted || codeHost.token) return []
  const message = 'None are written: AUTOMATIC_ARTICLES is on, but there is no token.'
  return [{ part: 'automatic articles', state: 'advice', found: message, remedy: 'Set CODE_HOST_TOKEN.' }]
}

async function callHost({ codeHost: { apiUrl, token } }: Config): Promise<Finding> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const host = createCodeHost(
    apiUrl,
    () => new Date(),
    decodingWith(async (encoded) => decodeAnswer(encoded)),
    signal,
  )
  try {
    return token ? await checkToken(token.reveal()) : await checkAnonymously()
  } catch (error) {
    if (error instanceof HostRateLimited) {
      const remedy = token ? 'Wait, or use another token.' : 'Set CODE_HOST_TOKEN.'
      return { part, state: 'broken', found: `${error.message} It ends in ${error.retryAfter} s.`, remedy }
    }
    const remedy = `Check CODE_HOST_API_URL (GitHub Enterprise: https://<host>/api/v3) and the network.`
    return { part, state: 'broken', found: `${apiUrl.origin}: ${messageOf(error)}`, remedy }
  }

  async function checkToken(text: string): Promise<Finding> {
    const owner = await host.tokenOwner({ token: text, signal })
    if (owner) return { part, state: 'ok', found: `${apiUrl.origin} accepts the token of ${owner.login}.` }
    const remedy = 'Create a new token, without scopes, and set CODE_HOST_TOKEN.'
    return { part, state: 'broken', found: `${apiUrl.origin} refuses CODE_HOST_TOKEN.`, remedy }
  }

  async function checkAnonymously(): Promise<Finding> {
    await host.userById({ token: undefined, signal }, SOME_ACCOUNT)
    const remedy =
      'Set CODE_HOST_TOKEN. Without it, only 60 repositories an hour are verified; others leave the lists after a day.'
    return { part, state: 'advice', found: `${apiUrl.origin} answers anonymous requests.`, remedy }
  }
}

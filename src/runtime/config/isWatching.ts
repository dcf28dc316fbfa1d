import type { Config } from './config.ts'

/** Whether the service looks for merged pull requests by itself. It uses its own token, never that of a user. */
export function isWatching({ config }: { config: Config }): boolean {
  return config.automaticArticles.areWanted && config.codeHost.token !== undefined
}

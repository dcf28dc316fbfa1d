import { AdminError } from '../../src/domain/administration/perform.ts'
import { type PullPlace, pullIn } from '../../src/domain/repositories/parseAddress.ts'
import { isId } from '../../src/web/pages/page.ts'

/** The article that an argument names: by its id, by `owner/name#number`, or by the URL of its page or pull request. */
export function articleKeyIn(text: string, webUrl: URL): { articleId: string } | PullPlace {
  const [, inUrl] = /\/(?:read\/)?articles\/([^/?#]+)/.exec(text) ?? []
  const articleId = inUrl ?? text
  const key = isId(articleId) ? { articleId } : pullIn(text, webUrl)
  if (!key)
    throw new AdminError('Name the article by owner/name#number, by its id, or by the URL of its page or pull request.')
  return key
}

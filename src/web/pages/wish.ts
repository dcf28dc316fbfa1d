import { pullIn, repositoryIn } from '../../domain/repositories/parseAddress.ts'
import { ownPath } from './ownPath.ts'
import { isId, languageIn } from './page.ts'
import { pathWith } from './pathWith.ts'

export const SIGN_IN_PATH = '/sign-in'

/** Fields of the forms that a visitor needs an account for. */
type WishFields =
  | { for: 'write'; address: string; language?: string | undefined }
  | { for: 'follow'; repository: string }
  | { for: 'like'; articleId: string; language: string }

/** An action that a visitor needs an account for. The sign-in page names it, and it is done right after signing in. */
export interface Wish {
  kind: WishFields['for']
  /** The pull request or repository that the wish is about; empty for a like. */
  about: string
  /** The path that the form of the wish is sent to. */
  action: string
  fields: Record<string, string>
}

/** The path of the sign-in page. `to` is the page to come back to. */
export function signInPath(to: string, wish: WishFields | Record<string, string> = {}): string {
  return pathWith(SIGN_IN_PATH, { ...wish, to })
}

/** The fields in a path that `signInPath` returned. */
export function fieldsOf(path: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(path.split('?')[1]))
}

/** The page to return to after signing in. It is never the sign-in page, which would do the wish in its query again. */
export function returnPath(to: string | undefined): string {
  const path = ownPath(to)
  return path.startsWith(SIGN_IN_PATH) ? '/read' : path
}

/** The wish in a query or a form, if there is a well-formed one. */
export function wishIn(fields: Record<string, string>, webUrl: URL): Wish | undefined {
  const { for: kind, address = '', repository = '', articleId = '' } = fields
  const language = languageIn(fields)
  const more = { ...(language && { language }), to: returnPath(fields['to']) }
  if (kind === 'write') {
    const place = pullIn(address, webUrl)
    if (!place) return undefined
    const about = `${place.name.owner}/${place.name.repo}#${place.number}`
    return { kind, about, action: '/read/open', fields: { address: about, ...more } }
  }
  if (kind === 'follow') {
    const place = repositoryIn(repository, webUrl)
    if (!place) return undefined
    const about = `${place.owner}/${place.repo}`
    return { kind, about, action: '/read/favorites', fields: { repository: about, ...more } }
  }
  if (kind !== 'like' || !isId(articleId) || !language) return undefined
  return { kind, about: '', action: '/read/like', fields: { articleId, ...more } }
}

/** The fields that `wishIn` reads a wish from. */
export function wishFields(wish: Wish | undefined): Record<string, string> {
  return wish ? { for: wish.kind, ...wish.fields } : {}
}

import type { SafeHtml } from '@remix-run/html-template'
import type { Context } from '../../context.ts'
import { unauthenticated } from '../../domain/accounts/problems.ts'
import type { Viewer } from '../../domain/accounts/session.ts'
import type { BrowserSession } from '../../domain/accounts/signIn.ts'
import type { UnverifiedAccountCredential } from '../../domain/accounts/unverifiedCredential.ts'
import { Problem } from '../../errors.ts'
import { isLanguageCode } from '../../lib/languageCode.ts'
import type { Secret } from '../../lib/secret.ts'
import { isWholeNumber } from '../../lib/wholeNumber.ts'
import type { Cost } from '../../runtime/limits/limits.ts'
import type { Locale } from './locale.ts'

/** A request for a page, or a form sent from one. */
export interface Visit {
  params: Record<string, string>
  query: Record<string, string>
  form: Record<string, string>
  viewer: Viewer | undefined
  /** The session cookie of the request, valid or not. */
  cookie: Secret | undefined
  /** The cookie that `startSignIn` set, which the OAuth callback verifies. */
  signingIn: string | undefined
  locale: Locale
  /** The public origin of the service, without a trailing slash. */
  origin: string
  /** The requested path with its query; for a form, the path of the page that sent it. */
  path: string
  /** The origin of the code host's pages. */
  webOrigin: string
  /** The visitor's IP address. */
  address: string
  requestId: string
  /** Whether a page of another site initiated the request. */
  isCrossSite: boolean
  /** Whether the browser says that one of our own pages initiated the request. Some browsers do not say. */
  isFromOwnPage: boolean
}

export type PageResponse = Page | Redirection

export interface Page extends Cookies {
  status?: number
  title: string
  description?: string
  /** The path of the canonical URL. */
  canonical?: string
  /** The path of this page in each language. */
  languages?: [code: string, path: string][]
  /** An Atom feed of public articles for this page, in addition to those of the whole site. */
  feed?: { title: string; path: string } | undefined
  /** Reload interval for browsers without scripts. */
  refreshSeconds?: number
  /** Keeps search engines from indexing the page. */
  isPrivate?: boolean
  /**
   * Whether the page is shown only for a moment. It then has no links that depend on whether the visitor is signed in.
   */
  isPassing?: boolean
  /** Makes the page wide enough for two columns. */
  isWide?: boolean
  body: SafeHtml
}

export interface Redirection extends Cookies {
  to: string
}

/** Cookies to set; null deletes one. */
interface Cookies {
  session?: Pick<BrowserSession, 'token' | 'expiresAt'> | null
  signingIn?: string | null
  language?: string
}

export type PageHandler = (visit: Visit, ctx: Context) => Promise<PageResponse>

/** Handles a form with one SQL statement that also authenticates, which saves a query. Returns the path to redirect to. */
export type DeferredPageHandler = (
  form: Visit['form'],
  credential: UnverifiedAccountCredential,
  ctx: Context,
) => Promise<string>

export type PageRoute = {
  method: 'GET' | 'POST'
  path: string
  /** Default: `reads` for GET, `writes` for POST. */
  cost?: Cost
} & ({ authentication?: 'first'; handler: PageHandler } | { authentication: 'deferred'; handler: DeferredPageHandler })

export function requireViewer({ viewer }: Visit): Viewer {
  if (!viewer) throw signInRequired()
  return viewer
}

export function signInRequired(): Problem {
  return unauthenticated('Sign in to continue.')
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export function isId(text: string): boolean {
  return ID.test(text)
}

/** An id from a path or a form. */
export function requireId(text: string | undefined): string {
  if (!text || !isId(text)) throw new Problem('NOT_FOUND', 'There is nothing with this id.')
  return text
}

/** A pagination offset from the query, capped at `max`. */
export function offsetIn(query: Record<string, string>, name: string, max: number): number {
  const text = query[name] ?? '0'
  if (!isWholeNumber(text)) throw new Problem('VALIDATION_ERROR', `${name} must be a whole number in decimal digits.`)
  return Math.min(Number(text), max)
}

/** The language that a visitor prefers to read articles in. */
export function readerLanguage({ viewer, locale }: Pick<Visit, 'viewer' | 'locale'>): string {
  return viewer?.user.language ?? locale
}

/** The language code from a query or a form, if it is one. */
export function languageIn({ language }: Record<string, string>): string | undefined {
  return language && isLanguageCode(language) ? language : undefined
}

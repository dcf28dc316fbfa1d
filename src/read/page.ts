import type { SafeHtml } from '@remix-run/html-template'
import type { Asker } from '../accounts/asker.ts'
import type { Viewer } from '../accounts/session.ts'
import type { BrowserSession } from '../accounts/signIn.ts'
import type { Context } from '../context.ts'
import type { Secret } from '../secret.ts'
import type { Locale } from './locale.ts'

/** Somebody's request for a page, or what they sent with one. */
export interface Visit {
  params: Record<string, string>
  query: Record<string, string>
  form: Record<string, string>
  viewer: Viewer | undefined
  asker: Asker
  /** The cookie they came with, good or not. */
  cookie: Secret | undefined
  /** What signing in left with the browser, to be brought back. */
  signingIn: string | undefined
  locale: Locale
  /** Where people reach us, without a slash at the end. */
  origin: string
  /** The address asked for, query included. */
  path: string
  /** The visitor's network address. */
  address: string
  requestId: string
}

export type Answer = Page | Redirection

export interface Page extends Cookies {
  status?: number
  title: string
  description?: string
  /** The one address it is known by. */
  canonical?: string
  /** Not for search engines. */
  isPrivate?: boolean
  body: SafeHtml
}

export interface Redirection extends Cookies {
  to: string
}

/** What the browser shall keep from now on; null to forget it. */
interface Cookies {
  session?: Pick<BrowserSession, 'token' | 'expiresAt'> | null
  signingIn?: string | null
  language?: string
}

export type PageHandler = (visit: Visit, ctx: Context) => Promise<Answer>

export interface PageRoute {
  method: 'GET' | 'POST'
  path: string
  handler: PageHandler
}

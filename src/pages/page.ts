import type { SafeHtml } from '@remix-run/html-template'
import { unauthenticated } from '../accounts/problems.ts'
import type { Viewer } from '../accounts/session.ts'
import type { BrowserSession } from '../accounts/signIn.ts'
import type { UnverifiedAccountCredential, UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'
import type { Secret } from '../lib/secret.ts'
import { isWholeNumber } from '../lib/wholeNumber.ts'
import type { Cost } from '../limits/limits.ts'
import type { Locale } from './locale.ts'

/** Somebody's request for a page, or what they sent with one. */
export interface Visit {
  params: Record<string, string>
  query: Record<string, string>
  form: Record<string, string>
  viewer: Viewer | undefined
  credential: UnverifiedCredential
  /** The cookie they came with, good or not. */
  cookie: Secret | undefined
  /** What signing in left with the browser, to be brought back. */
  signingIn: string | undefined
  locale: Locale
  /** Where people reach us, without a slash at the end. */
  origin: string
  /** The address asked for, query included; or where they were who sent a form. */
  path: string
  /** The origin of the code host's pages. */
  webOrigin: string
  /** The visitor's network address. */
  address: string
  requestId: string
  /** Whether a page of another site led them here. */
  isCrossSite: boolean
}

export type PageResponse = Page | Redirection

export interface Page extends Cookies {
  status?: number
  title: string
  description?: string
  /** The one address it is known by. */
  canonical?: string
  /** The same in other languages, each with its address. */
  languages?: [code: string, path: string][]
  /** A feed that goes with it, beside the ranking's. */
  feed?: string
  /** After how many seconds the browser shall look again. */
  refreshSeconds?: number
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

export type PageHandler = (visit: Visit, ctx: Context) => Promise<PageResponse>

export interface PageRoute {
  method: 'GET' | 'POST'
  path: string
  /** Unset: reading or writing, as the method says. */
  cost?: Cost
  handler: PageHandler
}

/** Who is asking, where that must be somebody. */
export function requireViewer({ viewer, credential }: Visit): UnverifiedAccountCredential {
  if (!viewer || credential.token === null) throw unauthenticated('Sign in first.')
  return { ...credential, token: credential.token, identify: async () => viewer }
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** An id out of an address or a form. */
export function requireId(text: string | undefined): string {
  if (!text || !ID.test(text)) throw new Problem('NOT_FOUND', 'There is nothing by this id.')
  return text
}

/** How many entries to skip, by a parameter of the address. */
export function offsetIn(query: Record<string, string>, name: string, most: number): number {
  const text = query[name] ?? '0'
  if (!isWholeNumber(text)) throw new Problem('VALIDATION_ERROR', `${name} must be a whole number in decimal digits.`)
  return Math.min(Number(text), most)
}

/** The code of a language, where one is given. */
export function languageIn({ language }: Record<string, string>): string | undefined {
  return language && /^[a-z]{2}$/.test(language) ? language : undefined
}

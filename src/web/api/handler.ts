import type { IncomingHttpHeaders } from 'node:http'
import type { operations as Declared } from '../../../generated/api.ts'
import type { operations as table } from '../../../generated/operations.ts'
import type { Context } from '../../context.ts'
import type { Session, Viewer } from '../../domain/accounts/session.ts'
import type { UnverifiedAccountCredential, UnverifiedCredential } from '../../domain/accounts/unverifiedCredential.ts'
import type { JsonText } from '../../lib/jsonText.ts'
import type { ArticleFormat, Preferences } from './articleFormat.ts'
import type { RawBody } from './rawBody.ts'

export type OperationId = keyof typeof table

/** An operation's handler: takes typed input, returns one of the declared successes, throws errors. */
export type Handler<Id extends OperationId> = (input: Input<Id>, ctx: Context) => Promise<Reply<Id>>

export type Handlers = { [Id in OperationId]: Handler<Id> }

type Input<Id extends OperationId> = (typeof table)[Id] extends { authentication: 'deferred' }
  ? DeferredInput<Id>
  : (typeof table)[Id] extends { rawBody: true }
    ? RawInput<Id>
    : AuthenticatedInput<Id>

interface RequestParameters<Id extends OperationId> {
  /** The public origin of the service. */
  origin: string
  /** The format and the languages that the caller prefers. */
  preferences(): Preferences
  params: NonNullable<Declared[Id]['parameters']['path']>
  query: Filled<NonNullable<Declared[Id]['parameters']['query']>, (typeof table)[Id]['queryDefaults'][number]>
}

interface DeferredInput<Id extends OperationId> extends RequestParameters<Id> {
  credential: (typeof table)[Id] extends { security: 'bearer' } ? UnverifiedAccountCredential : UnverifiedCredential
}

interface AuthenticatedInput<Id extends OperationId> extends RequestParameters<Id> {
  body: Body<Declared[Id]['requestBody']>
  viewer: ViewerOf<(typeof table)[Id]>
  /** Whether the caller sent a valid credential, with or without an account. */
  isIdentified: boolean
  /** How many seconds the caller is willing to wait (`Prefer`), if given. */
  preferredWait: number | undefined
  wantsEvents: boolean
  /** The id of the last event that the caller received before its stream broke off. */
  lastEventId: string | undefined
}

/** For handlers that read the body themselves, to verify a signature in the headers against its exact bytes. */
interface RawInput<Id extends OperationId> extends Omit<AuthenticatedInput<Id>, 'body'> {
  rawBody: RawBody
  headers: IncomingHttpHeaders
}

/** Parameters with a default are always present. */
type Filled<Query, Defaulted extends PropertyKey> = Omit<Query, Defaulted> &
  Required<Pick<Query, Defaulted & keyof Query>>

type Json<T> = { content: { 'application/json': T } }

type EventStream = { content: { 'text/event-stream': string } }

type Markdown = { content: { 'text/markdown': string } }

/** The type of the body. An optional body that was not sent is an empty object. */
type Body<Declaration> = [Declaration] extends [undefined] ? undefined : Declaration extends Json<infer T> ? T : never

type ViewerOf<Row> = Row extends { security: 'none' }
  ? undefined
  : Row extends { security: 'optional' }
    ? Viewer | undefined
    : Row extends { account: 'optional' }
      ? Session
      : Viewer

type SuccessStatus = 200 | 201 | 202 | 204

/** One of the successes that the contract declares for the operation, with the body of that status. */
export type Reply<Id extends OperationId> = {
  [Status in keyof Declared[Id]['responses'] & SuccessStatus]: {
    status: Status
    body: Declared[Id]['responses'][Status] extends Json<infer T>
      ?
          | T
          | JsonText<T>
          | (Declared[Id]['responses'][Status] extends EventStream ? Events : never)
          | (Declared[Id]['responses'][Status] extends Markdown ? Text : never)
      : undefined
    headers?: Record<string, string>
    /**
     * Set if the operation itself has ended the session: then the session need not be live when the response is sent.
     */
    endsSession?: true
    /** Set for a page of a list: the cursor of the next page, null on the last one. */
    nextCursor?: string | null
  }
}[keyof Declared[Id]['responses'] & SuccessStatus]

/** A stream of server-sent events that lasts until the client disconnects. An undefined item is sent as a heartbeat. */
export interface Events {
  events(disconnected: AbortSignal): AsyncIterable<ServerEvent | undefined>
}

export interface ServerEvent {
  id: string
  name: string
  data: object
}

/** A body that is not JSON. */
export interface Text {
  text: string
  type: Exclude<ArticleFormat, 'application/json'>
}

/** A success in the response envelope. */
export function reply<const Status extends SuccessStatus, Data>(status: Status, data: Data, message: string) {
  return { status, body: { success: true as const, data, message } }
}

/** A page of a list in the response envelope. */
export function replyPage<Page extends { pagination: { nextCursor: string | null } }>(page: Page, message: string) {
  return { ...reply(200, page, message), nextCursor: page.pagination.nextCursor }
}

/** A success in the response envelope, with data that the database has already serialized as JSON. */
export function replyText<const Status extends SuccessStatus, Data>(
  status: Status,
  data: JsonText<Data>,
  message: string,
): { status: Status; body: JsonText<{ success: true; data: Data; message: string }> } {
  return {
    status,
    body: { parts: ['{"success":true,"data":', ...data.parts, `,"message":${JSON.stringify(message)}}`] },
  }
}

export function replyEvents(events: Events['events']) {
  return { status: 200 as const, body: { events } }
}

export function noContent() {
  return { status: 204 as const, body: undefined }
}

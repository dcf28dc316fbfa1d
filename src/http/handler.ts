import type { operations as Declared } from '../../generated/api.ts'
import type { operations as table } from '../../generated/operations.ts'
import type { Session, Viewer } from '../accounts/session.ts'
import type { UnverifiedAccountCredential, UnverifiedCredential } from '../accounts/unverifiedCredential.ts'
import type { Context } from '../context.ts'
import type { JsonText } from '../lib/jsonText.ts'

export type OperationId = keyof typeof table

/** An operation's handler: typed input in, one of the declared successes out. Failures are thrown. */
export type Handler<Id extends OperationId> = (input: Input<Id>, ctx: Context) => Promise<Reply<Id>>

/** The handler of an operation whose own statement finds out who is asking. */
export interface SwiftHandler<Id extends OperationId> {
  swift(input: SwiftInput<Id>, ctx: Context): Promise<Reply<Id>>
}

export type Handlers = { [Id in OperationId]: Handler<Id> | SwiftHandler<Id> }

export interface Input<Id extends OperationId> {
  params: NonNullable<Declared[Id]['parameters']['path']>
  query: Filled<NonNullable<Declared[Id]['parameters']['query']>, (typeof table)[Id]['queryDefaults'][number]>
  body: Body<Declared[Id]['requestBody']>
  viewer: ViewerOf<(typeof table)[Id]>
  /** Whether a token was sent and verified, with an account or not. */
  isIdentified: boolean
  /** For how many seconds the caller would wait (`Prefer`), where they said. */
  preferredWait: number | undefined
  /** Whether the caller wants server-sent events. */
  wantsEvents: boolean
  /** The last event that the caller saw of a stream that broke off. */
  lastEventId: string | undefined
}

export interface SwiftInput<Id extends OperationId> extends Pick<Input<Id>, 'params' | 'query'> {
  credential: (typeof table)[Id] extends { security: 'bearer' } ? UnverifiedAccountCredential : UnverifiedCredential
}

/** Parameters with a default are always there. */
type Filled<Query, Defaulted extends PropertyKey> = Omit<Query, Defaulted> &
  Required<Pick<Query, Defaulted & keyof Query>>

type Json<T> = { content: { 'application/json': T } }

type EventStream = { content: { 'text/event-stream': string } }

/** A body that may be left out counts as empty. */
type Body<Declaration> = [Declaration] extends [undefined] ? undefined : Declaration extends Json<infer T> ? T : never

type ViewerOf<Row> = Row extends { security: 'none' }
  ? undefined
  : Row extends { security: 'optional' }
    ? Viewer | undefined
    : Row extends { account: 'optional' }
      ? Session
      : Viewer

type SuccessStatus = 200 | 201 | 202 | 204

/** One of the successes the contract declares for the operation, with the body of that status. */
export type Reply<Id extends OperationId> = {
  [Status in keyof Declared[Id]['responses'] & SuccessStatus]: {
    status: Status
    body: Declared[Id]['responses'][Status] extends Json<infer T>
      ? T | JsonText<T> | (Declared[Id]['responses'][Status] extends EventStream ? Events : never)
      : undefined
    headers?: Record<string, string>
    /** The operation itself ended the session of the request. */
    endsSession?: true
    /** For how many seconds anybody may keep it, where it is the same for everyone. */
    sharedFor?: number
  }
}[keyof Declared[Id]['responses'] & SuccessStatus]

/** Server-sent events as they come, until whoever reads them has left; undefined is a sign of life. */
export interface Events {
  events(left: AbortSignal): AsyncIterable<ServerEvent | undefined>
}

export interface ServerEvent {
  id: string
  name: string
  data: object
}

/** A success in the envelope. */
export function reply<const Status extends SuccessStatus, Data>(status: Status, data: Data, message: string) {
  return { status, body: { success: true as const, data, message } }
}

/** The same of data that is JSON already, as it comes from the database. */
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

import { onTestFinished } from 'vitest'
import type { ModelCall } from '../../../src/model/call.ts'
import { clientOf } from '../askModel.ts'
import { answer, type Behaviour, type FakeModel, type ModelRequest, startFakeModel } from '../fakeModel.ts'
import type { Rule, ServerRequest } from './rule.ts'

export const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }

/** A client of a server with these rules. `requests` makes a model call and returns the HTTP requests that it sent. */
export async function asking(rules: Rule[], { effort, always }: { effort?: string; always?: Behaviour } = {}) {
  const model = await startFakeModel({ rules })
  const clock = { offset: 0 }
  const now = () => new Date(Date.now() + clock.offset)
  const client = clientOf(model, { now, ...(effort && { reasoningEffort: effort }) })
  onTestFinished(async () => {
    await client.close()
    await model.close()
  })
  model.always(always ?? ((_, response) => answer(response, '{"title":"Hello"}')))
  const ask = (more: Partial<ModelCall> = {}) => client.ask({ schema, ...more })
  return { model, clock, ask, requests: (more?: Partial<ModelCall>) => requestsOf(model, () => ask(more)) }
}

export async function requestsOf(model: FakeModel, work: () => Promise<unknown>): Promise<ServerRequest[]> {
  return (await model.during(work)) as ServerRequest[]
}

/** The names of the parameters of a request, without model and messages; the response format by its type. */
export function partsOf(request: ModelRequest): string[] {
  const { model: _, messages: __, ...parts } = request
  return Object.entries(parts).map(([name, value]) =>
    name === 'response_format' ? (value as { type: string }).type : name,
  )
}

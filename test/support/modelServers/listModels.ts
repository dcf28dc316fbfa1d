import type { ServerResponse } from 'node:http'

/** The models that a server lists. Some servers add a date on which a model is switched off. */
export interface ModelList {
  names?: string[]
  shutdownDates?: Record<string, string>
}

export function listModels(response: ServerResponse, { names = ['fake-model'], shutdownDates = {} }: ModelList = {}) {
  const data = names.map((id) => {
    const shutdown_date = shutdownDates[id]
    return { id, object: 'model', created: 0, owned_by: 'fake', ...(shutdown_date && { shutdown_date }) }
  })
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ object: 'list', data }))
}

// @ts-expect-error: the package declares no types for this file
import { Parser as RealParser } from '../../node_modules/fastify-openapi-glue/lib/Parser.js'

const parsed = new Map<string, Promise<object>>()

/** Replaces the parser of fastify-openapi-glue, so that all services of a process share the parsed contract. */
export class Parser {
  parse(specification: object, options: object): Promise<object> {
    const key = JSON.stringify([specification, options])
    const parsing = parsed.get(key) ?? new RealParser().parse(specification, options)
    parsed.set(key, parsing)
    return parsing
  }
}

import { hash } from 'node:crypto'
import { inspect } from 'node:util'

/** A value that logs, errors and JSON cannot leak by accident: only `reveal` returns it. */
export class Secret {
  readonly #value: string
  #sha256: Buffer | undefined

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  sha256(): Buffer {
    this.#sha256 ??= hash('sha256', this.#value, 'buffer')
    return this.#sha256
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

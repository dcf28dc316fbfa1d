import { hash } from 'node:crypto'
import { inspect } from 'node:util'

/** A value that no log, error or JSON can show by accident: only `reveal` gives it out. */
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

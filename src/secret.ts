import { createHash } from 'node:crypto'
import { inspect } from 'node:util'

/** A value that no log, error or JSON can show by accident: only `reveal` gives it out. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  sha256(): Buffer {
    return createHash('sha256').update(this.#value).digest()
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

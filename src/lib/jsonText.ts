/** Serialized JSON of a T, in parts to be concatenated. */
export interface JsonText<T> {
  parts: (string | Buffer)[]
  readonly of?: T
}

/** JSON that is written already, of something of type T, in parts that need only be joined. */
export interface JsonText<T> {
  parts: (string | Buffer)[]
  readonly of?: T
}

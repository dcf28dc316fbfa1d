/** JSON that is written already, of something of type T. */
export interface JsonText<T> {
  json: string
  readonly of?: T
}

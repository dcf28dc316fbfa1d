import type { Handler } from '../http/handler.ts'
import { registerFavorite } from './registerFavorite.ts'

/** The same operation under the path of the list. */
export const addFavorite: Handler<'addFavorite'> = registerFavorite

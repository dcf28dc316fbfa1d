import type { Handler } from '../web/api/handler.ts'
import { registerFavorite } from './registerFavorite.ts'

/** The same operation under the path of the list. */
export const addFavorite: Handler<'addFavorite'> = registerFavorite

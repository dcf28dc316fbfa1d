import type { Handler } from '../web/api/handler.ts'
import { registerFavorite } from './registerFavorite.ts'

/** The same operation as `registerFavorite`, under the path of the list of favorites. */
export const addFavorite: Handler<'addFavorite'> = registerFavorite

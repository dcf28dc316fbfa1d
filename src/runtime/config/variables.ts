import { recommended } from './variables/recommended.ts'
import { required } from './variables/required.ts'
import { tuning } from './variables/tuning.ts'

/** All variables that the service reads. `.env.example` and the README's table are generated from them. */
export const variables = { ...required, ...recommended, ...tuning }

import { contract } from '../../src/contract.ts'
import type { Schemas } from './api.ts'

const { examples } = contract.components as unknown as {
  examples: { LongArticle: { value: { data: Schemas['PullRequestArticle'] } } }
}

/** An article that a model could write: the contract's example. */
export const recordedArticle = examples.LongArticle.value.data

import { Problem } from '../../errors.ts'

export function articleNotFound(): Problem {
  return new Problem('ARTICLE_NOT_FOUND', 'There is no such article.')
}

export function jobNotFound(): Problem {
  return new Problem('NOT_FOUND', 'There is no such job.')
}

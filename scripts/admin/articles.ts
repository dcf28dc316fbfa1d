import { deleteArticle, regenerate } from '../../src/domain/administration/articles.ts'
import { articleKeyIn } from './articleKey.ts'
import { type Command, UsageError } from './command.ts'

export const deleteArticleOf: Command = {
  ...{ words: 2, options: [], kind: 'act' },
  async run({ db, config, words: [kind, named = ''], operator }) {
    if (kind !== 'article') throw new UsageError('What to delete is an article.')
    return { acts: [await deleteArticle(db, articleKeyIn(named, config.codeHost.webUrl), operator)] }
  },
}

export const regenerateArticle: Command = {
  ...{ words: 1, options: ['language'], kind: 'act' },
  async run({ db, config, words: [named = ''], options: { language }, operator }) {
    const key = articleKeyIn(named, config.codeHost.webUrl)
    const { act, jobId, translations } = await regenerate(db, config, { key, language }, operator)
    const hint = `Translated from it, and not written again: ${translations.join(', ')}. When the job is done, name each with --language.`
    return { acts: [act], details: { job: jobId }, ...(translations.length > 0 && { hint }) }
  },
}

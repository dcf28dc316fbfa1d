import type { FakePull } from '../../scripts/fakeHost/fakeRepository.ts'
import type { ArticleContent } from '../../src/writer/content.ts'
import { aPull, articlesOf } from './articles.ts'
import { type Service, startService } from './service.ts'

/** Starts a service without a model, which writes outlines. */
export async function startOutliningService() {
  const service = await startService()
  const token = await service.signedUp('reader')
  return { ...service, token, outlined: outlinesOf(service, token) }
}

/** Writes the outline of a new pull request. */
function outlinesOf(service: Service, token: string) {
  const { generated } = articlesOf(service)
  return async (pull: Partial<FakePull>, language = 'en'): Promise<ArticleContent> =>
    (await generated(aPull(service, pull), token, { language })).contents[language]
}

/** The code figures of an outline. */
export function codeIn({ mainChanges }: ArticleContent) {
  return mainChanges.flatMap(({ figures }) => figures.flatMap(({ code }) => (code ? [code] : [])))
}

/** A patch of one hunk that begins at line 10. */
export function patchOf(lines: string[], heading = ''): string {
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length
  return [`@@ -10,${count('+')} +10,${count('-')} @@ ${heading}`, ...lines].join('\n')
}

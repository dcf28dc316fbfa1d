import { aPull, articlesOf } from '../articles.ts'
import type { Service } from '../service.ts'
import { cutterOf } from './cutter.ts'
import type { Sample } from './sample.ts'

/** Stores an article with the content of a sample. The HTML of the article is rendered when it is first shown. */
export async function storeSample(service: Service, token: string, { pull, content }: Sample, more = {}) {
  const place = aPull(service, { ...pull, ...more })
  const { id, hostPrUrl, contents } = await articlesOf(service).generated(place, token, { language: 'ja' })
  const { likeCount: _, liked: __, stale: ___, ...written } = contents.ja
  const stored = { ...written, ...content(cutterOf(pull.files, { hostPrUrl, headSha: written.headSha })) }
  await service.ctx.db
    .updateTable('article_texts')
    .set({
      ...{ content: JSON.stringify(stored), title: stored.aiGeneratedTitle, lead: stored.lead?.text ?? null },
      ...{ markup: null, excerpts: null, feed_html: null },
    })
    .where('article_id', '=', id)
    .execute()
  return { id, place, content: stored }
}

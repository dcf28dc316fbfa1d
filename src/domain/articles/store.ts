import type { Context } from '../../context.ts'
import { type ClaimedJob, succeed } from '../../db/articles/articleJobs.ts'
import { findTexts, replaceText, upsertArticle } from '../../db/articles/articles.ts'
import { findHead } from '../../db/pulls/heads.ts'
import type { StoredContent } from '../../writer/content.ts'

interface Text {
  content: StoredContent
  /** The excerpts as JSON. */
  excerpts: string
  /** The markup as JSON. */
  markup: string
  feedHtml: string
  private: boolean
}

/**
 * Stores a text and ends the job in one transaction; false if another worker has claimed the job since. The existing
 * text stays if it is about the current head commit and the new text is not, or if a model wrote it and the new text is
 * an outline.
 */
export async function store(
  ctx: Context,
  job: ClaimedJob,
  { content, excerpts, markup, feedHtml, private: hidden }: Text,
): Promise<boolean> {
  const isStored = await ctx.db
    .transaction()
    .execute(async (trx) => {
      const now = ctx.now()
      const articleId = await upsertArticle(trx, job, now)
      if (!(await succeed(trx, job, articleId, now))) throw new ClaimLost()
      const existing = (await findTexts(trx, job)).find((text) => text.language === job.language)
      const head = (await findHead(trx, job.host_repo_id, job.number))?.head_sha
      const isOutdated = existing?.head_sha === head && content.headSha !== head
      const isWorse =
        existing?.kind === 'model' &&
        job.kind === 'outline' &&
        existing.head_sha === content.headSha &&
        existing.private === hidden
      if (existing && (isOutdated || isWorse)) return true
      await replaceText(trx, {
        article_id: articleId,
        language: job.language,
        private: hidden,
        head_sha: content.headSha,
        kind: job.kind,
        prompt_version: job.prompt_version,
        translated_from: content.generator.translatedFrom,
        title: content.aiGeneratedTitle,
        lead: content.lead?.text ?? null,
        content: JSON.stringify(content),
        excerpts,
        markup,
        feed_html: feedHtml,
        // A reused older version gets the current time, too, because it is new to readers.
        generated_at: now,
        forced_at: job.forced ? now : null,
      })
      return true
    })
    .catch((error) => {
      if (error instanceof ClaimLost) return false
      throw error
    })
  ctx.indexing.soon()
  return isStored
}

/** Rolls back the transaction, because another worker has claimed the job. */
class ClaimLost extends Error {}

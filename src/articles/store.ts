import type { Context } from '../context.ts'
import { type ClaimedJob, succeed } from '../db/articles/articleJobs.ts'
import { findTexts, replaceText, upsertArticle } from '../db/articles/articles.ts'
import { findHead } from '../db/pulls/heads.ts'
import type { StoredContent } from '../writer/content.ts'

interface Text {
  content: StoredContent
  /** As JSON. */
  excerpts: string
  /** As JSON. */
  markup: string
  private: boolean
}

/**
 * Puts a text in its place and ends the job, both or neither; false where another has taken the job up since. What is
 * there already stays where it is of the present head commit and this one is not, or is a model's and this an outline.
 */
export async function store(
  ctx: Context,
  job: ClaimedJob,
  { content, excerpts, markup, private: hidden }: Text,
): Promise<boolean> {
  return ctx.db
    .transaction()
    .execute(async (trx) => {
      const now = ctx.now()
      const articleId = await upsertArticle(trx, job, now)
      if (!(await succeed(trx, job, articleId, now))) throw new Lost()
      const present = (await findTexts(trx, job)).find((text) => text.language === job.language)
      const { headSha: head } = await findHead(trx, job.host_repo_id, job.number)
      const isLate = present?.head_sha === head && content.headSha !== head
      const isWorse =
        present?.kind === 'model' &&
        job.kind === 'outline' &&
        present.head_sha === content.headSha &&
        present.private === hidden
      if (present && (isLate || isWorse)) return true
      await replaceText(trx, {
        article_id: articleId,
        language: job.language,
        private: hidden,
        head_sha: content.headSha,
        kind: job.kind,
        prompt_version: job.prompt_version,
        translated_from: content.generator.translatedFrom,
        title: content.aiGeneratedTitle,
        content: JSON.stringify(content),
        excerpts,
        markup,
        // One that was kept from before is new where it is shown.
        generated_at: now,
        forced_at: job.forced ? now : null,
      })
      return true
    })
    .catch((error) => {
      if (error instanceof Lost) return false
      throw error
    })
}

/** Undoes what was written so far. */
class Lost extends Error {}

import type { JobKey } from '../../db/articles/articleJobs.ts'
import type { findTexts } from '../../db/articles/articles.ts'

export type WrittenText = Awaited<ReturnType<typeof findTexts>>[number]

/** Whether a text is as good as the one that a job for this key would write. A model's text also serves as an outline. */
export function satisfiesKey(text: WrittenText, key: JobKey, { private: hidden }: { private: boolean }): boolean {
  if (text.head_sha !== key.head_sha || (text.private && !hidden)) return false
  return text.kind === key.kind ? text.prompt_version === key.prompt_version : text.kind === 'model'
}

import type { Context } from '../../context.ts'
import type { JobKey } from '../../db/articles/articleJobs.ts'
import type { CurrentHead } from './currentHead.ts'
import { OUTLINE_VERSION, PROMPT_VERSION } from './versions.ts'

/** Whether there is a model, and the configuration: a context, for example. */
interface Writer extends Pick<Context, 'config'> {
  askModel: unknown
}

/**
 * The language that a text is written in: the wanted one if the operator allows it. Outlines, which are written without
 * a model, exist in Japanese and English only.
 */
export function languageWritten({ askModel, config }: Writer, wanted: string): string {
  const { languages } = config.articles
  const allowed = !languages || languages.includes(wanted) ? wanted : languages[0]
  return askModel || allowed === 'ja' ? allowed : 'en'
}

/** The key of the text that a request wants. All requests with the same key share one text. */
export function textKeyOf(
  writer: Writer,
  head: Pick<CurrentHead, 'host_repo_id' | 'head_sha'>,
  { number, language }: { number: number; language: string },
): JobKey {
  const at = { host_repo_id: head.host_repo_id, number, head_sha: head.head_sha }
  const written = { ...at, language: languageWritten(writer, language) }
  if (writer.askModel) return { ...written, kind: 'model', prompt_version: PROMPT_VERSION }
  return { ...written, kind: 'outline', prompt_version: OUTLINE_VERSION }
}

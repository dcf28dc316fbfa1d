import type { StoredContent } from '../../src/writer/content.ts'
import { addEvidenceLines } from '../../src/writer/render/evidenceLines.ts'
import { steps } from '../../src/writer/steps/index.ts'
import type { Written } from './writing.ts'

/** The excerpts that are stored with an article in Japanese. */
export async function excerptsOf({ content, stored }: Pick<Written, 'content' | 'stored'>): Promise<string> {
  const { document, hostPrUrl } = stored
  return (await steps.render({ content, language: 'ja', hostPrUrl, document })).excerpts
}

/** The article with the cited lines, as it is served. */
export function withLines(content: StoredContent, excerpts: string | null): StoredContent {
  const bytes = addEvidenceLines({ contents: `"ja":${JSON.stringify(content)}`, excerpts: `"ja":${excerpts}` })
  return JSON.parse(`{${Buffer.from(bytes)}}`).ja
}

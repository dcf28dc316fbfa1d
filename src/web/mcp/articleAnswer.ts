import type { ArticleText } from '../../domain/articles/read.ts'
import { articleBlocks, joinBlocks, type MarkdownBlock } from '../../writer/render/articleMarkdown.ts'
import { pageAddress } from '../pages/addresses.ts'
import { factsOf } from '../pages/articleFacts.ts'
import { estimateTokens, MAX_ANSWER_TOKENS } from './tokenEstimate.ts'
import type { ToolAnswer } from './tool.ts'
import { untrusted } from './untrusted.ts'

/** Tokens reserved for the lines around the article. */
const RESERVED_TOKENS = 300
/** Tokens of the heading and the blank lines of a block. */
const TOKENS_PER_BLOCK = 4
const MAX_LANGUAGES = 20

/** An article as Markdown, as much of it as fits an answer. */
export function articleAnswer(article: ArticleText, origin: string): ToolAnswer {
  const { id, language, languages, number } = article
  const facts = factsOf(article)
  const content = { ...article.content, stale: article.is_stale }
  const blocks = articleBlocks(facts, content, language, { hasLinks: false })
  const shown = mostImportant(blocks, MAX_ANSWER_TOKENS - RESERVED_TOKENS)
  const omitted = blocks.length - shown.length
  const page = `${origin}${pageAddress(id, language)}`
  const others = languages.filter((code) => code !== language).slice(0, MAX_LANGUAGES)
  const head = [
    `Article ${id} about ${facts.repositoryFullName}#${number}`,
    `language ${language}${others.length > 0 ? ` (also ${others.join(', ')})` : ''}`,
    `page ${page}`,
  ]
  return {
    text: [
      head.join(' · '),
      ...untrusted([joinBlocks(shown).trimEnd()]),
      'A link to lines is the URL of the cited file with R3-R5 at its end, or L3-L5 for (old) lines.',
      ...(omitted > 0 ? [`${omitted} less important parts were left out for length; the page has them.`] : []),
    ].join('\n'),
  }
}

/** The most important blocks that fit, in the order of reading. */
function mostImportant(blocks: MarkdownBlock[], tokens: number): MarkdownBlock[] {
  let left = tokens
  const fitting = blocks
    .toSorted((a, b) => a.rank - b.rank)
    .filter(({ section, markdown }) => {
      const needed = estimateTokens(markdown) + estimateTokens(section.heading ?? '') + TOKENS_PER_BLOCK
      if (needed > left) return false
      left -= needed
      return true
    })
  const chosen = new Set(fitting)
  return blocks.filter((block) => chosen.has(block))
}

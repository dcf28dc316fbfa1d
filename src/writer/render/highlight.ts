import { createRequire } from 'node:module'
import { html, type SafeHtml } from '@remix-run/html-template'
import type { GrammarState, HighlighterCore, ThemedToken } from '@shikijs/core'
import { loadOnce } from '../../lib/loadOnce.ts'
import { contextOf, type Grammar, grammarOf } from './codeLanguages.ts'
import { PLAIN, TOKEN_CLASSES } from './tokenClasses.ts'

const MAX_LINE_CHARACTERS = 400
const MAX_LINES = 200
const MAX_CHARACTERS = 8000
/** The CPU time for all code of one article. Most grammars take less than 400 ms of it when they are used first. */
const CPU_LIMIT_MS = 2500
/**
 * The elapsed time allowed for each millisecond of CPU time that is left, so that code is also highlighted on a busy
 * machine.
 */
const CLOCK_PER_CPU = 2

type Highlight = (lines: string[], pathOrLanguage: string) => SafeHtml[]

const require = createRequire(import.meta.url)
const loadHighlighter = loadOnce(load)

/**
 * Colors the code of one article. Code that is too long, that takes too long, or whose language is unknown is shown
 * without colors.
 */
export async function highlighter(): Promise<Highlight> {
  const shiki = await loadHighlighter().catch(() => undefined)
  let spentMs = 0
  return (lines, pathOrLanguage) => {
    const grammar = grammarOf(pathOrLanguage, lines)
    const otherWorkMs = cpuMs() - spentMs
    try {
      if (shiki && grammar && !isTooLong(lines))
        return coloured(shiki, lines, grammar, () => CPU_LIMIT_MS - (cpuMs() - otherWorkMs))
    } catch {
      // If highlighting fails, show the figure without colors.
    } finally {
      spentMs = cpuMs() - otherWorkMs
    }
    return lines.map((line) => html`${line}`)
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Loads the highlighter with the first code, because most tasks of a thread contain no code. */
async function load(): Promise<HighlighterCore> {
  const { createHighlighterCoreSync } = await import('@shikijs/core')
  const { createOnigurumaEngine } = await import('@shikijs/engine-oniguruma')
  const engine = await createOnigurumaEngine(import('@shikijs/engine-oniguruma/wasm-inlined'))
  return createHighlighterCoreSync({ engine, themes: [TOKEN_CLASSES], langs: [] })
}

function isTooLong(lines: string[]): boolean {
  const characters = lines.filter(canBeColoured).reduce((sum, line) => sum + line.length, 0)
  return lines.length > MAX_LINES || characters > MAX_CHARACTERS
}

function canBeColoured(line: string): boolean {
  return line.length <= MAX_LINE_CHARACTERS && !line.includes('\n')
}

/** Colors code line by line, because the library's own time limit applies to each line. */
function coloured(shiki: HighlighterCore, lines: string[], grammar: Grammar, leftMs: () => number): SafeHtml[] {
  if (!shiki.getLoadedLanguages().includes(grammar))
    shiki.loadLanguageSync(require(`@shikijs/langs/${grammar}`).default)
  const options = () => ({ lang: grammar, theme: TOKEN_CLASSES.name, tokenizeTimeLimit: CLOCK_PER_CPU * leftMs() })
  let state: GrammarState | undefined = shiki.getLastGrammarState(contextOf(grammar, lines), options())
  return lines.map((line) => {
    if (!canBeColoured(line)) return html`${line}`
    const startedAt = performance.now()
    const limited = options()
    if (limited.tokenizeTimeLimit <= 0) throw new Error('No time is left.')
    const tokens = shiki.codeToTokensBase(line, state ? { ...limited, grammarState: state } : limited)
    if (performance.now() - startedAt >= limited.tokenizeTimeLimit) throw new Error('The line took too long.')
    state = shiki.getLastGrammarState(tokens)
    return withClasses(tokens.flat(), line)
  })
}

/** Joins neighboring tokens of one class. White space belongs to the token before it. */
function withClasses(tokens: ThemedToken[], line: string): SafeHtml {
  const runs: { name: string; text: string }[] = []
  for (const { content, color: name = PLAIN } of tokens) {
    const last = runs.at(-1)
    if (last && (last.name === name || content.trim() === '')) last.text += content
    else runs.push({ name, text: content })
  }
  if (runs.map(({ text }) => text).join('') !== line) return html`${line}`
  return html`${runs.map(({ name, text }) => (name === PLAIN ? text : html`<span class="${name}">${text}</span>`))}`
}

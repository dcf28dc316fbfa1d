import type { ChangedFile } from '../reading/changedFiles.ts'
import type { Hunk, Line } from '../reading/hunks.ts'

/** Names, grouped by the change to the lines that define them. */
export interface Symbols {
  added: string[]
  removed: string[]
  changed: string[]
}

const MAX_LINE = 400
const MAX_LINES = 20_000
const MAX_CHARACTERS = 1_000_000

const MODIFIERS =
  /^(?:(?:export|default|declare|public|private|protected|internal|static|abstract|async|final|override|open|sealed|data|unsafe|pub(?:\([^)]*\))?)\s+)+/
const NAMED =
  /^(?:function\*?|class|interface|enum|struct|trait|def|fn|func|fun|protocol|namespace|type)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*[!?]?)(?=\s*(?:[({:<=[]|$|extends\b|implements\b|struct\b|interface\b|where\b))/u
const CONSTANT = /^(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*(?::[^=]*)?=/u
const FUNCTION_VALUE = /=\s*(?:async\b\s*)?(?:function\b|\([^()]*\)[^=]*=>|[\w$]+\s*=>)/
const METHOD = /^(?:(?:get|set)\s+|[*#])?([\p{L}_$][\p{L}\p{N}_$]*)\([^;=]*\)[^;=()]*\{$/u
const NO_METHOD =
  /^(?:if|else|elseif|elsif|unless|for|foreach|while|until|do|switch|when|try|catch|with|using|lock|synchronized|function|return|super)$/
const TEST_CASE = /^(?:it|test|describe|context|specify)(?:\.\w+)*(?:\([^()]*\))?\(\s*(?:'([^']+)'|"([^"]+)"|`([^`]+)`)/
const MARKDOWN_HEADING = /^#{1,6}\s+(?=\S)(.*\S)/
const NO_PLACE = /^(?:import|from|use|using|package|require|#include)\b/
const UNDERLINE = /^([=~^"'+#*-])\1{3,}\s*$/

export function definitionsOf({ hunks }: ChangedFile): Symbols {
  return symbolsBy(hunks, ({ text }) => definedIn(text))
}

export function testCasesOf({ hunks }: ChangedFile): Symbols {
  return symbolsBy(hunks, ({ text }) => testCaseIn(text))
}

export function sectionsOf({ path, hunks }: ChangedFile): Symbols {
  if (/\.(md|mdx|markdown)$/i.test(path)) return symbolsBy(hunks, ({ text }) => MARKDOWN_HEADING.exec(text)?.[1])
  return symbolsBy(hunks, (line, next) => {
    const isTitle = next?.sign === line.sign && /^\S/.test(line.text) && UNDERLINE.test(next.text)
    return isTitle && !UNDERLINE.test(line.text) ? line.text : undefined
  })
}

function symbolsBy(hunks: Hunk[], nameOf: (line: Line, next: Line | undefined) => string | undefined): Symbols {
  const before = new Set<string>()
  const after = new Set<string>()
  let linesLeft = MAX_LINES
  let charactersLeft = MAX_CHARACTERS
  for (const { lines } of hunks) {
    for (const [at, line] of lines.entries()) {
      if (line.sign === ' ' || line.text.length > MAX_LINE) continue
      linesLeft -= 1
      charactersLeft -= line.text.length
      // Give no names if the limits are exceeded, because an incomplete list would be misleading.
      if (linesLeft < 0 || charactersLeft < 0) return { added: [], removed: [], changed: [] }
      const name = nameOf(line, lines[at + 1])
      if (name) (line.sign === '+' ? after : before).add(name)
    }
  }
  return {
    added: [...after].filter((name) => !before.has(name)),
    removed: [...before].filter((name) => !after.has(name)),
    changed: [...after].filter((name) => before.has(name)),
  }
}

function definedIn(text: string): string | undefined {
  const line = text.trim().replace(MODIFIERS, '')
  const named = NAMED.exec(line)?.[1]
  if (named) return named
  const constant = CONSTANT.exec(line)?.[1]
  // Constants inside functions are details unless they hold functions.
  if (constant) return /^\S/.test(text) || FUNCTION_VALUE.test(line) ? constant : undefined
  // Count parentheses, because a call with a function as its last argument also ends in `{` but is not closed yet.
  const mayBeMethod = line.endsWith('{') && line.split('(').length === line.split(')').length
  const method = mayBeMethod ? METHOD.exec(line)?.[1] : undefined
  return method && !NO_METHOD.test(method) ? method : undefined
}

function testCaseIn(text: string): string | undefined {
  const [, single, double, template] = TEST_CASE.exec(text.trim()) ?? []
  return single ?? double ?? template
}

/** The last definition above the first change of a hunk, else the hunk's heading from git. */
export function placeOf({ heading, lines }: Hunk): string {
  const first = firstChange(lines)
  const above = lines.slice(0, Math.max(0, first)).map(({ text }) => nameIn(text))
  return (
    above.findLast((name) => name !== undefined) ?? nameIn(heading) ?? (NO_PLACE.test(heading) ? '' : heading.trim())
  )
}

/** The name of the definition that encloses a line of a hunk, according to the indentation. */
export function enclosingName({ heading, lines }: Hunk, at = firstChange(lines)): string | undefined {
  let indent = indentOf(lines.slice(at).find(({ text }) => text.trim() !== '')?.text ?? '')
  for (const { sign, text } of lines.slice(0, Math.max(0, at)).reverse()) {
    const own = indentOf(text)
    // Skip lines such as `) => {`, which end the parameters of a definition that begins further up.
    if (sign === '-' || own >= indent || /^\s*(?:\)|$)/.test(text)) continue
    const name = nameIn(text)
    if (name) return name
    indent = own
  }
  return indent > 0 ? nameIn(heading) : undefined
}

function firstChange(lines: Line[]): number {
  return lines.findIndex(({ sign }) => sign !== ' ')
}

/**
 * The indentation of a line. Subtracts one column in block comments, whose lines begin one column to the right of the
 * definition below them.
 */
function indentOf(text: string): number {
  const columns = text.search(/\S|$/)
  return columns > 0 && text[columns] === '*' ? columns - 1 : columns
}

/** The name of the definition or test case that begins on this line. */
export function nameIn(text: string): string | undefined {
  return text.length > MAX_LINE ? undefined : (testCaseIn(text) ?? definedIn(text))
}

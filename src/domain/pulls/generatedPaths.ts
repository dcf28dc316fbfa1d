const MAX_RULES = 100
const MAX_PATTERN_CHARACTERS = 200
const MAX_PATTERN_PARTS = 20
/**
 * Limit of the comparisons of characters and path parts, for all paths together. 3,000 usual paths and 100 rules need
 * 10 million.
 */
const MAX_STEPS = 50_000_000
const ATTRIBUTE = /^(-)?linguist-generated(?:=(true|false))?$/

interface Rule {
  /** The parts of the pattern between slashes. */
  parts: string[]
  isGenerated: boolean
}

/** The comparisons left for all further paths. Once they are used up, nothing matches. */
interface Steps {
  left: number
}

/**
 * Returns a function that tells by the repository's `.gitattributes` whether a path holds generated code. The last rule
 * that matches counts.
 */
export function generatedPaths(attributes: string): (path: string) => boolean {
  const rules = attributes.split('\n').flatMap(ruleIn).slice(0, MAX_RULES)
  const steps = { left: MAX_STEPS }
  return (path) => {
    const folders = path.split('/')
    return rules.findLast(({ parts }) => matches(parts, folders, steps))?.isGenerated ?? false
  }
}

function ruleIn(line: string): Rule[] {
  const [pattern = '', ...attributes] = line.trim().split(/\s+/)
  const setting = attributes.map((attribute) => ATTRIBUTE.exec(attribute)).findLast((match) => match !== null)
  if (!setting || pattern === '' || pattern.startsWith('#') || pattern.length > MAX_PATTERN_CHARACTERS) return []
  const isAnchored = pattern.slice(0, -1).includes('/')
  const parts = pattern.replace(/^\//, '').split('/')
  if (parts.length > MAX_PATTERN_PARTS) return []
  return [{ parts: isAnchored ? parts : ['**', ...parts], isGenerated: !setting[1] && setting[2] !== 'false' }]
}

/** Whether the parts of a pattern match those of a path. `**` stands for any number of folders. */
function matches(pattern: string[], path: string[], steps: Steps): boolean {
  // `reached[i]`: whether the pattern so far matches the first `i` parts of the path. This needs no backtracking.
  let reached = [true, ...path.map(() => false)]
  for (const part of pattern) {
    steps.left -= path.length
    if (steps.left < 0) return false
    let any = false
    const before = reached
    reached = before.map((isReached, i) => {
      any ||= isReached
      return part === '**' ? any : i > 0 && before[i - 1] === true && matchesName(part, path[i - 1] ?? '', steps)
    })
  }
  return reached.at(-1) ?? false
}

/**
 * Whether a part of a pattern matches a name. `*` stands for any characters, `?` for one. Backtracks only to the last
 * star.
 */
function matchesName(pattern: string, name: string, steps: Steps): boolean {
  let [at, star, mark] = [0, -1, 0]
  let from = 0
  while (from < name.length) {
    steps.left -= 1
    if (steps.left < 0) return false
    if (pattern[at] === '?' || (pattern[at] === name[from] && pattern[at] !== '*')) {
      at += 1
      from += 1
    } else if (pattern[at] === '*') {
      star = at
      mark = from
      at += 1
    } else if (star !== -1) {
      at = star + 1
      mark += 1
      from = mark
    } else return false
  }
  return /^\**$/.test(pattern.slice(at))
}

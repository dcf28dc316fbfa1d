import type { Found } from './found.ts'

/** At line ends: what the rule set does with its findings grows with their square. */
const MOST_CHARACTERS_AT_ONCE = 20_000
const RULE = '@secretlint/secretlint-rule-'
const LEFT_OUT = [
  // It lets whoever wrote the text switch the others off by a comment. A preset cannot disable it, hence the plain list.
  `${RULE}filter-comments`,
  // They take the whole address; our own pattern takes the password in it.
  `${RULE}basicauth`,
  `${RULE}database-connection-string`,
]
const KINDS: Record<string, string> = { aws: 'aws secret access key', privatekey: 'private key' }

type Lint = (content: string) => Promise<Found[]>
let loaded: Promise<Lint> | undefined

/** What the maintained rule set knows. It is loaded at the first use. */
export async function foundByRuleSet(text: string): Promise<Found[]> {
  loaded ??= load()
  const lint = await loaded
  const found: Found[] = []
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start)
    for (const one of await lint(text.slice(start, end))) {
      found.push({ ...one, start: one.start + start, end: one.end + start })
    }
    start = end
  }
  return found
}

function endOfPiece(text: string, start: number): number {
  if (text.length - start <= MOST_CHARACTERS_AT_ONCE) return text.length
  const lineEnd = text.indexOf('\n', start + MOST_CHARACTERS_AT_ONCE)
  return lineEnd === -1 ? text.length : lineEnd + 1
}

async function load(): Promise<Lint> {
  const [{ lintSource }, { rules }, { secretLintProfiler }] = await Promise.all([
    import('@secretlint/core'),
    import('@secretlint/secretlint-rule-preset-recommend'),
    import('@secretlint/profiler'),
  ])
  // It keeps all its marks for good, 17 KB for each text.
  secretLintProfiler.mark = () => {}
  const kept = rules.filter(({ meta }) => !LEFT_OUT.includes(meta.id)).map((rule) => ({ id: rule.meta.id, rule }))
  return async (content) => {
    const { messages } = await lintSource({
      source: { content, filePath: 'text', contentType: 'text' },
      options: { noPhysicFilePath: true, config: { rules: kept } },
    })
    return messages.map(({ ruleId, range, data }) => ({ ...spanOf(content, range, data), kind: kindOf(ruleId) }))
  }
}

/** Some rules tell the range of what stands before the secret, by its length; what they say is the secret is right. */
function spanOf(content: string, [start, end]: readonly [number, number], data: object = {}) {
  const secret: unknown = Object.values(data)[0]
  const at = typeof secret === 'string' ? content.indexOf(secret, start) : -1
  return typeof secret === 'string' && at !== -1 ? { start: at, end: at + secret.length } : { start, end }
}

function kindOf(ruleId: string): string {
  const name = ruleId.replace(RULE, '')
  return KINDS[name] ?? `${name.replaceAll('-', ' ')} token`
}

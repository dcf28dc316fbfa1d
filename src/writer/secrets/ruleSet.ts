import { loadOnce } from '../../lib/loadOnce.ts'
import type { Found } from './found.ts'

const RULE = '@secretlint/secretlint-rule-'
const EXCLUDED = [
  // This rule lets untrusted input disable the other rules by a comment. A preset cannot turn it off, hence this list.
  `${RULE}filter-comments`,
  // These rules mask the whole URL. Our own pattern masks only the password in it.
  `${RULE}basicauth`,
  `${RULE}database-connection-string`,
  // This rule takes more than linear time for long words. Our own pattern finds the same tokens in linear time.
  `${RULE}sendgrid`,
]
const KINDS: Record<string, string> = { aws: 'aws secret access key', privatekey: 'private key' }

type Rule = typeof import('@secretlint/secretlint-rule-preset-recommend')['rules'][number]
type Handler = ReturnType<Rule['create']>
type Source = Parameters<NonNullable<Handler['file']>>[0]

const loadRules = loadOnce(load)

/**
 * Runs the rules of secretlint, loaded on first use. They run without secretlint's core, whose time is quadratic in the
 * number of findings.
 */
export async function foundByRuleSet(text: string): Promise<Found[]> {
  const reports: { at: number; found: Found }[] = []
  for (const { rule, kind } of await loadRules()) {
    const handler = handlerOf(rule, (range, data) => {
      reports.push({ at: range[0], found: { ...spanOf(text, range, data), kind } })
    })
    // The rules in use read no other field of a source.
    await handler.file?.({ content: text, filePath: 'text', ext: '', contentType: 'text' } as Source)
  }
  return reports.sort((a, b) => a.at - b.at).map(({ found }) => found)
}

async function load() {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend')
  const selection = rules.filter(({ meta }) => !EXCLUDED.includes(meta.id))
  return selection.map((rule) => ({ rule, kind: kindOf(rule.meta.id) }))
}

type Report = (range: readonly [number, number], data: object | undefined) => void

function handlerOf(rule: Rule, report: Report): Handler {
  return rule.create(
    {
      sharedOptions: {},
      createTranslator: () => (messageId, data) => ({ message: '', messageId: String(messageId), data: data ?? {} }),
      report: ({ range, message }) => report(range, message.data),
      ignore: () => {},
    },
    {},
  )
}

/**
 * The position of a secret. Some rules report the range of the text before the secret, but the secret in their data is
 * always right.
 */
function spanOf(content: string, [start, end]: readonly [number, number], data: object = {}) {
  const secret: unknown = Object.values(data)[0]
  const at = typeof secret === 'string' ? content.indexOf(secret, start) : -1
  return typeof secret === 'string' && at !== -1 ? { start: at, end: at + secret.length } : { start, end }
}

function kindOf(ruleId: string): string {
  const name = ruleId.replace(RULE, '')
  return KINDS[name] ?? `${name.replaceAll('-', ' ')} token`
}

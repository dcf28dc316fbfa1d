import { DAY_MS } from '../../lib/times.ts'

interface Prompt {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required?: boolean }[]
  /** What the user asks, with the steps that answer it. */
  text(args: Record<string, string>, now: Date): string
}

const WEEK_MS = 7 * DAY_MS

const thisWeek: Prompt = {
  name: 'this_week',
  title: 'What changed this week?',
  description: 'The changes of the last seven days, those that can break something first.',
  arguments: [{ name: 'repository', description: 'owner/name; without it, your favorites' }],
  text: ({ repository }, now) => `What changed this week in ${repository ?? 'the repositories that I follow'}?

1. Call what_changed with ${repository ? `repository ${repository} and ` : ''}since ${day(now.getTime() - WEEK_MS)}; go on with nextCursor while it lists breaking changes.
2. Tell me first what can break something: what changed, who is affected, what to do. Read the article where the list does not tell.
3. Then the rest, one line each. Give the URL of the article's page with every change.
4. Name merged pull requests without an article at the end. Do not have articles written unless I ask for it.`,
}

const mayIUpgrade: Prompt = {
  name: 'may_i_upgrade',
  title: 'May I upgrade?',
  description: 'Whether an upgrade breaks your code, and what to change in it.',
  arguments: [
    { name: 'repository', description: 'owner/name', required: true },
    { name: 'from', description: 'The version in use, or the date of its release' },
    { name: 'to', description: 'The new version, or the date of its release; by default the newest' },
  ],
  text: (
    { repository, from, to },
    now,
  ) => `May I upgrade ${repository} from ${from ?? 'the version that this project uses'} to ${to ?? 'the newest version'}? Today is ${day(now.getTime())}.

1. Find out when these versions were released, from tags, a change log or the registry. Ask me if you cannot tell.
2. Call what_changed with repository ${repository} and these dates as since and until; go on with nextCursor while it lists changes whose effect is breaking, behavior or unknown.
3. Check in my code whether I am affected by each of these. Call read_article where "affected" does not tell: it has the code before and after.
4. Answer yes, no, or yes after changes. Give each change that I must make with its reason and the URL of the article's page.
5. Name merged pull requests without an article: their effect is unknown. Do not have articles written unless I ask for it.`,
}

function day(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

const prompts = [thisWeek, mayIUpgrade]

export const LISTED_PROMPTS = prompts.map(({ text: _, ...listed }) => listed)

/** The messages of a prompt; a text that says what is wrong if the prompt or an argument is missing. */
export function promptOf(name: string, args: Record<string, string>, now: Date) {
  const prompt = prompts.find((one) => one.name === name)
  if (!prompt) return `There is no such prompt. There are ${prompts.map((one) => one.name).join(' and ')}.`
  const missing = prompt.arguments.filter((one) => one.required && !args[one.name]?.trim())
  if (missing.length > 0) return `The prompt needs ${missing.map((one) => one.name).join(', ')}.`
  const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value.trim() !== ''))
  const content = { type: 'text' as const, text: prompt.text(given, now) }
  return { description: prompt.description, messages: [{ role: 'user' as const, content }] }
}

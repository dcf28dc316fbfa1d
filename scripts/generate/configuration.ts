import { SECRETS } from '../../src/runtime/config/sources.ts'
import { recommended } from '../../src/runtime/config/variables/recommended.ts'
import { required } from '../../src/runtime/config/variables/required.ts'
import { tuning } from '../../src/runtime/config/variables/tuning.ts'

interface Documented {
  desc?: string
  example?: string
  default?: unknown
}
type Group = [title: string, variables: Record<string, Documented>]
/** The variables that the README lists. */
export const MAIN_GROUPS: Group[] = [
  ['Required on a server', required],
  ['Recommended', recommended],
]
export const TUNING: Group[] = [['Tuning', tuning]]
const secrets: readonly string[] = SECRETS

/** A table of variables. */
export function configurationTable(groups: Group[]): string {
  const rows = groups.flatMap(([title, group]) => [
    `| **${title}** | | |`,
    ...Object.entries(group).map(([name, spec]) => `| \`${name}\` | ${shown(spec.default)} | ${spec.desc} |`),
  ])
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

/** `.env.example`: every variable, commented out, with its default or an example. */
export function configurationExample(): string {
  const groups = [...MAIN_GROUPS, ...TUNING].map(([title, group]) => {
    const blocks = Object.entries(group).map(([name, spec]) => {
      const value = plain(spec.default) || (spec.example ?? '')
      const file = secrets.includes(name) ? ` Or ${name}_FILE, the path of a file with it.` : ''
      return `# ${spec.desc?.replaceAll('`', '')}${file}\n#${name}=${value}\n`
    })
    return `## ${title}\n\n${blocks.join('\n')}`
  })
  return `# Copy to .env and uncomment what you set. An empty variable counts as unset.\n\n${groups.join('\n')}`
}

function plain(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '' : String(value).replace(/\/$/, '')
}

function shown(value: unknown): string {
  return plain(value) ? `\`${plain(value)}\`` : ''
}

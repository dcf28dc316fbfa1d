import { variables } from '../../src/config/variables.ts'

interface Documented {
  desc?: string
  example?: string
  default?: unknown
}
const documented = Object.entries<Documented>(variables)

/** The table of variables for the README. */
export function configurationTable(): string {
  const rows = documented.map(([name, spec]) => `| \`${name}\` | ${shown(spec.default)} | ${spec.desc} |`)
  return ['| variable | default | meaning |', '|---|---|---|', ...rows].join('\n')
}

/** `.env.example`: every variable, commented out, with its default or an example. */
export function configurationExample(): string {
  const blocks = documented.map(([name, spec]) => {
    const value = plain(spec.default) || (spec.example ?? '')
    return `# ${spec.desc?.replaceAll('`', '')}\n#${name}=${value}\n`
  })
  return `# Copy to .env and uncomment what you set. An empty variable counts as unset.\n\n${blocks.join('\n')}`
}

function plain(value: unknown): string {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? '' : String(value).replace(/\/$/, '')
}

function shown(value: unknown): string {
  return plain(value) ? `\`${plain(value)}\`` : ''
}

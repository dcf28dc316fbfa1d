import type { ChangedFile } from '../reading/changedFiles.ts'
import { endOfPath, type FileKind, isNoise } from '../reading/kinds.ts'

const MANIFEST =
  /(^|\/)(package\.json|pyproject\.toml|setup\.(py|cfg)|Pipfile|go\.mod|Cargo\.toml|Gemfile|[^/]*\.gemspec|pom\.xml|build\.gradle(\.kts)?|libs\.versions\.toml|composer\.json|deno\.jsonc?|jsr\.json|mix\.exs|pubspec\.yaml|Package\.swift|[^/]*\.(cs|fs|vb)proj|requirements[^/]*\.(txt|in)|requirements\/[^/]+\.(txt|in))$/
const WORKFLOW =
  /(^|\/)(\.github\/(workflows|actions)\/|\.circleci\/|\.gitlab-ci[^/]*\.ya?ml$|\.travis\.yml$|\.azure-pipelines[/.]|azure-pipelines[^/]*\.ya?ml$|Jenkinsfile|\.buildkite\/|appveyor\.yml$|\.drone\.yml$)/
const MIGRATION = /(^|\/)(migrations?|migrate|alembic\/versions)\/[^/]+/i
const NO_PROGRAM =
  /(^|\/)(docs?|examples?|bench(marks?)?)\/|\.(css|s[ac]ss|less|html?|svg|csv|tsv|xml|po|pot|ipynb|sql)$/i
const SENSITIVE = new Set(
  `auth oauth authn authz authenticate authentication authenticator authorize authorization authorizer login logout
   crypto cryptography encryption cipher session sessions password passwords passwd jwt csrf xsrf permission permissions
   secret secrets credential credentials`.split(/\s+/),
)

export function declaresDependencies(path: string): boolean {
  return MANIFEST.test(endOfPath(path))
}

/** The kind of a file. Files that declare dependencies count as configuration, unless they are noise. */
export function purposeOf({ path, kind }: ChangedFile): FileKind {
  return !isNoise(kind) && declaresDependencies(path) ? 'configuration' : kind
}

export function isWorkflow(path: string): boolean {
  return WORKFLOW.test(endOfPath(path))
}

export function isMigration(path: string): boolean {
  return MIGRATION.test(endOfPath(path))
}

export function isProgram(path: string): boolean {
  return !NO_PROGRAM.test(endOfPath(path))
}

/** Checks the words of the path, including those in camelCase. */
export function isSecurityRelated(path: string): boolean {
  const words = endOfPath(path)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .split(/[^A-Za-z]+/)
  return words.some((word) => SENSITIVE.has(word.toLowerCase()))
}

/** The names of files without their folders; with the last folder if another file has the same name. */
export function shortNames(files: ChangedFile[]): string[] {
  const last = (path: string, parts: number) => endOfPath(path).split('/').slice(-parts).join('/')
  const counts = new Map<string, number>()
  for (const name of files.map((file) => last(file.name, 1))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return files.map(({ name }) => last(name, (counts.get(last(name, 1)) ?? 0) > 1 ? 2 : 1))
}

/** For each grammar, the extensions and names of its files and the names that Markdown fences use. */
export const GRAMMAR_NAMES = {
  c: 'c h',
  cpp: 'cpp cc cxx c++ hpp hh hxx',
  csharp: 'cs csharp c#',
  css: 'css',
  dart: 'dart',
  diff: 'diff patch',
  docker: 'dockerfile containerfile docker',
  elixir: 'ex exs elixir',
  go: 'go golang',
  graphql: 'graphql gql graphqls',
  html: 'html htm',
  ini: 'ini cfg conf properties',
  java: 'java',
  javascript: 'js mjs cjs javascript',
  json: 'json webmanifest',
  jsonc: 'jsonc json5',
  jsx: 'jsx',
  kotlin: 'kt kts kotlin',
  less: 'less',
  lua: 'lua',
  make: 'makefile gnumakefile mk make',
  markdown: 'md markdown',
  php: 'php',
  proto: 'proto protobuf',
  python: 'py pyi python',
  ruby: 'rb ruby rake gemspec gemfile rakefile',
  rust: 'rs rust',
  scala: 'scala sbt',
  scss: 'scss',
  shellscript: 'sh bash zsh shell shellscript',
  sql: 'sql',
  svelte: 'svelte',
  swift: 'swift',
  terraform: 'tf tfvars hcl terraform',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'ts mts cts typescript',
  vue: 'vue',
  xml: 'xml svg xsd csproj',
  yaml: 'yaml yml',
}

export type Grammar = keyof typeof GRAMMAR_NAMES

const GRAMMARS = new Map(
  Object.entries(GRAMMAR_NAMES).flatMap(([grammar, names]) =>
    names.split(' ').map((name) => [name, grammar as Grammar]),
  ),
)

const VARIANT = /^(dockerfile|makefile)\./

/** The grammar for the path of a file or for the name of a language; undefined if there is none. */
export function grammarOf(pathOrLanguage: string, lines: string[]): Grammar | undefined {
  const name = pathOrLanguage.slice(pathOrLanguage.lastIndexOf('/') + 1).toLowerCase()
  const grammar = GRAMMARS.get(VARIANT.exec(name)?.[1] ?? name.slice(name.lastIndexOf('.') + 1))
  // An excerpt of a Vue or Svelte component without a tag is most often part of its script.
  const isScript =
    (grammar === 'vue' || grammar === 'svelte') && !lines.some((line) => line.trimStart().startsWith('<'))
  return isScript ? 'typescript' : grammar
}

/** The name of a language for a Markdown fence, such as `ts`; empty if the language is not known. */
export function fenceName(pathOrLanguage: string, lines: string[]): string {
  const grammar = grammarOf(pathOrLanguage, lines)
  return grammar === undefined ? '' : (GRAMMAR_NAMES[grammar].split(' ')[0] ?? '')
}

/** Languages with block comments as in C. */
const C_LIKE = new Set<string>(
  'c cpp csharp css dart go java javascript jsx kotlin less php rust scala scss swift tsx typescript'.split(' '),
)
const INSIDE_COMMENT = /^\s*\*(?:[ /]|$)/

/** Code that must precede an excerpt so that the grammar parses the excerpt correctly. */
export function contextOf(grammar: Grammar, lines: string[]): string {
  const php = grammar === 'php' && !lines.some((line) => line.includes('<?')) ? '<?php ' : ''
  return php + (C_LIKE.has(grammar) && INSIDE_COMMENT.test(lines[0] ?? '') ? '/**' : '')
}

import type { KindWithoutEffect } from './summaryWords.ts'

export const KINDS: Record<KindWithoutEffect, string> = {
  workflow: 'the continuous integration',
  source: 'source code',
  test: 'tests',
  docs: 'documentation',
  configuration: 'configuration',
  generated: 'generated files',
  lockFile: 'lock files',
  vendored: 'vendored code',
  minified: 'minified code',
  snapshot: 'snapshots',
  binary: 'binary files',
}

export const number = new Intl.NumberFormat('en')

export function counted(count: number, one: string): string {
  return `${count === 0 ? 'no' : number.format(count)} ${one}${count === 1 ? '' : 's'}`
}

export function files(count: number): string {
  return count === 1 ? 'one file' : counted(count, 'file')
}

export function joined(names: string[]): string {
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

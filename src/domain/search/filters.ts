import { hash } from 'node:crypto'
import type { components } from '../../../generated/api.ts'
import { fold } from './fold.ts'

type Schemas = components['schemas']

/**
 * Filters are entries of the same index as words, so that a search for both needs one lookup. An equals sign tells them
 * apart, because no word contains one.
 */
export function authorFilter(login: string): string {
  return `=author:${login.toLowerCase()}`
}

export function labelFilter(label: string): string {
  return `=label:${fold(label)}`
}

export function changeTypeFilter(type: Schemas['ChangeTypeEnum']): string {
  return `=type:${type}`
}

export function compatibilityFilter(compatibility: Schemas['Compatibility'] | 'behaviour'): string {
  return `=compatibility:${compatibility === 'behaviour' ? 'behavior' : compatibility}`
}

/** Matches public texts (null), or the private texts of a repository. */
export function placeFilter(hostRepoId: number | null): string {
  return hostRepoId === null ? '=public' : `=repository:${hostRepoId}`
}

/** Matches texts about changes of this file. */
export function fileFilter(hostRepoId: number, path: string): string {
  return `=file:${digest(`${hostRepoId} ${path}`)}`
}

/** Matches texts that cite this issue. */
export function issueFilter(url: string): string {
  return `=issue:${digest(url)}`
}

/** Shortens a value, because entries of the index have a maximum length and paths may be longer. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16)
}

import type { FakePull } from './fakeRepository.ts'
import { sha } from './ids.ts'

/** The default number of added lines in a file, and also of deleted lines. */
export const CHANGED_LINES = 1

export function headOf({ head, number }: FakePull): string {
  return head ?? sha(`head ${number}`)
}

export function commitsOf(pull: FakePull): NonNullable<FakePull['commits']> {
  return pull.commits ?? [{ message: 'A commit', author: 'author' }]
}

export function createdAt(pull: FakePull): string {
  return pull.createdAt ?? '2026-01-01T00:00:00Z'
}

export function updatedAt(pull: FakePull): string {
  return pull.updatedAt ?? createdAt(pull)
}

import type { Draft, DraftChange, DraftPoint } from '../draft.ts'

export type { Draft } from '../draft.ts'
export type Notes = Pick<Draft, 'mainChanges' | 'notablePoints'>
export type Translation = Pick<Draft, 'aiGeneratedTitle' | 'backgroundAndPurpose'> & {
  mainChanges: Pick<DraftChange, 'description'>[]
  notablePoints: Pick<DraftPoint, 'point'>[]
}

import type { FakePull } from '../../../scripts/fakeHost/fakeRepository.ts'
import type { StoredContent } from '../../../src/writer/content.ts'
import type { Cutter } from './cutter.ts'

export type NewContent = Pick<
  StoredContent,
  | 'aiGeneratedTitle'
  | 'lead'
  | 'impact'
  | 'reasons'
  | 'backgroundAndPurpose'
  | 'mainChanges'
  | 'diagram'
  | 'notablePoints'
  | 'mismatches'
  | 'terms'
>

/** A pull request and the content of a model-written article about it. */
export interface Sample {
  pull: Partial<FakePull> & Required<Pick<FakePull, 'files'>>
  content: (cutter: Cutter) => NewContent
}

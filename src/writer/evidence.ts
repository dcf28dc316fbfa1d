import type { components } from '../../generated/api.ts'
import type { StoredContent } from './content.ts'

export type Evidence = components['schemas']['Evidence']

type Claim = { evidence: Evidence[] }
type Claims = Pick<StoredContent, 'lead' | 'impact' | 'reasons' | 'mainChanges' | 'notablePoints' | 'mismatches'>

/** All evidence of a text, in the order of the text. */
export function evidenceOf({ lead, impact, reasons, mainChanges, notablePoints, mismatches }: Claims): Evidence[] {
  const claims: (Claim | Claim[] | null)[] = [lead, impact, reasons, mainChanges, notablePoints, mismatches]
  return claims.flatMap((claim) => claim ?? []).flatMap(({ evidence }) => evidence)
}

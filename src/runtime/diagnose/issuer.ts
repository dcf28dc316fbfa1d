import { countKeys } from '../../domain/accounts/jwtBearer.ts'
import type { Config } from '../config/config.ts'
import { type Finding, messageOf } from './finding.ts'

const part = 'token issuer'

export async function checkIssuer({ oidc }: Config): Promise<Finding[]> {
  if (!oidc) return []
  try {
    const count = await countKeys(oidc)
    return [{ part, state: 'ok', found: `${oidc.issuer} publishes ${count} keys.` }]
  } catch (error) {
    const remedy = 'Correct OIDC_ISSUER or OIDC_JWKS_URL.'
    return [{ part, state: 'broken', found: `${oidc.issuer}: ${messageOf(error)}`, remedy }]
  }
}

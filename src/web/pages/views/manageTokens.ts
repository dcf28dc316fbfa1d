import { createToken, isTokenName, revokeToken, TOKEN_NAME } from '../../../domain/accounts/apiTokens.ts'
import { Problem, statusOf } from '../../../errors.ts'
import { DAY_MS } from '../../../lib/times.ts'
import { texts } from '../locale.ts'
import { type PageHandler, requireId, requireViewer } from '../page.ts'
import { LIFETIME_DAYS, newTokenPage, SCOPES } from './apiTokens.ts'
import { errorText } from './error.ts'
import { myPage } from './me.ts'

/** Creates an API token and shows it. If that fails, the form keeps the name and shows the reason. */
export const createApiToken: PageHandler = async (visit, ctx) => {
  const viewer = requireViewer(visit)
  const { tokens: t, errors } = texts[visit.locale]
  const name = (visit.form['name'] ?? '').trim()
  const scope = SCOPES.find((one) => one === visit.form['scope'])
  const days = LIFETIME_DAYS.find((count) => String(count) === visit.form['days'])
  if (!scope || !days) throw new Problem('VALIDATION_ERROR', 'An API token needs a scope and a lifetime.')
  const refuse = async (status: number, warning: string) => ({
    ...(await myPage(visit, ctx, { token: { name, warning } })),
    status,
  })
  if (!isTokenName(name)) return refuse(statusOf.VALIDATION_ERROR, t.invalid(TOKEN_NAME.maxLength))
  const expiresAt = new Date(ctx.now().getTime() + days * DAY_MS).toISOString()
  try {
    const { token } = await createToken(ctx, viewer, { name, scopes: [scope], expiresAt })
    return newTokenPage(visit, token)
  } catch (error) {
    if (!(error instanceof Problem) || error.details?.reason !== 'token_limit') throw error
    return refuse(statusOf[error.code], errorText(errors, error.code, error.details.reason))
  }
}

export const revokeApiToken: PageHandler = async (visit, ctx) => {
  await revokeToken(ctx, requireViewer(visit), requireId(visit.form['id']))
  return { to: '/read/me#tokens' }
}

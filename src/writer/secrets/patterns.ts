import type { Found } from './found.ts'
import { isPlaceholder, isRealPassword, looksRandom } from './looksRandom.ts'

interface Pattern {
  kind: string
  /**
   * Masks the group `secret`. Without that group, masks the whole match and the group `opening` of a lookbehind before
   * it.
   */
  pattern: RegExp
  accepts?: (secret: string) => boolean
}

const MAX_NAME = 200
const MAX_PASSWORD = 500

/**
 * Secrets that the rule set misses or knows in one length only. Prefixes are those that vendors publish for scanners.
 * No pattern may nest repetitions, and each must start with something rare, because lines can have ten thousand
 * characters.
 */
const PATTERNS: Pattern[] = [
  {
    kind: 'aws access key id',
    pattern: /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b/dg,
    accepts: (id) => !isPlaceholder(id),
  },
  { kind: 'github token', pattern: /\bgh[pousr]_\w{36,255}|\bgithub_pat_\w{60,255}/dg },
  { kind: 'pullpress token', pattern: /\bpp_[0-9a-f]{64}/dg },
  { kind: 'gitlab token', pattern: /\bgl(?:pat|ptt|dt|rt|cbt|ft|soat|imt|agent|oas|ffct|wt)-[\w.-]{20,300}/dg },
  { kind: 'bitbucket token', pattern: /\bATBB[A-Za-z0-9]{28,40}\b/dg },
  { kind: 'atlassian token', pattern: /\bAT[AC]TT3[\w=-]{50,400}/dg },
  { kind: 'stripe key', pattern: /\b[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,250}/dg },
  { kind: 'webhook signing secret', pattern: /\bwhsec_[A-Za-z0-9+/=]{24,100}/dg },
  { kind: 'square token', pattern: /\bsq0(?:atp|csp|idp)-[\w-]{22,60}|\bEAAA[\w-]{60}\b/dg },
  { kind: 'braintree token', pattern: /\baccess_token\$production\$[a-z0-9]{16}\$[0-9a-f]{32}/dg },
  { kind: 'facebook token', pattern: /\bEAA[A-Za-z0-9]{90,400}/dg },
  { kind: 'google api key', pattern: /\bAIza[\w-]{35}/dg },
  { kind: 'google oauth secret', pattern: /\bGOCSPX-[\w-]{20,40}/dg },
  { kind: 'google oauth token', pattern: /\bya29\.[\w-]{20,500}|\b1\/\/0[\w-]{30,200}/dg },
  {
    // The match starts at the first dot, because a run without dots can repeat the opening at every fourth character.
    kind: 'json web token',
    pattern: /(?<=(?<opening>\beyJ[\w-]{8,1000}))\.[\w-]{8,8000}\.[\w-]{0,8000}(?:\.[\w-]{1,8000}){0,2}/dg,
  },
  { kind: 'twilio key', pattern: /\bSK[0-9a-f]{32}\b/dg },
  { kind: 'mailgun key', pattern: /\bkey-[0-9a-f]{32}\b/dg },
  { kind: 'mailgun key', pattern: /(?<=(?<opening>\b[0-9a-f]{32}))-[0-9a-f]{8}-[0-9a-f]{8}\b/dg },
  { kind: 'mailchimp key', pattern: /(?<=(?<opening>\b[0-9a-f]{32}))-us\d{1,2}\b/dg },
  { kind: 'sendgrid token', pattern: /\bSG\.[\w-]{16,32}\.[\w-]{32,64}/dg },
  {
    // Replaces the rule for SendGrid tokens, which is excluded from the rule set.
    kind: 'sendgrid token',
    pattern: /(?<!\p{L})SG\.[\w.-]{66}(?!\w)/dgu,
    accepts: (token) => /^SG\.\w+\.\w+-?\w+$/.test(token),
  },
  { kind: 'brevo key', pattern: /\bxkeysib-[0-9a-f]{64}-\w{16}/dg },
  { kind: 'telegram bot token', pattern: /\b\d{8,10}:AA[\w-]{33}(?![\w-])/dg },
  { kind: 'discord bot token', pattern: /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/dg },
  { kind: 'discord webhook', pattern: /\/api\/(?:v\d+\/)?webhooks\/\d{17,20}\/(?<secret>[\w-]{60,80})/dg },
  { kind: 'slack token', pattern: /\bxox[a-z][.-][\w.-]{20,250}|\bxapp-\d-[\w-]{20,250}/dg },
  {
    kind: 'slack webhook',
    pattern: /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w/]{20,120})/dg,
  },
  { kind: 'teams webhook', pattern: /\.webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{60,250})/dg },
  { kind: 'azure storage key', pattern: /\b(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{40,90}={0,2})/dg },
  { kind: 'azure signature', pattern: /[?&;]sig=(?<secret>[A-Za-z0-9%+/]{40,130}={0,2})/dg },
  { kind: 'azure client secret', pattern: /(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/dg },
  { kind: 'pypi token', pattern: /\bpypi-AgE[\w-]{50,1000}/dg },
  { kind: 'rubygems key', pattern: /\brubygems_[0-9a-f]{48}/dg },
  { kind: 'nuget key', pattern: /\boy2[a-z0-9]{43}\b/dg },
  {
    kind: 'npm token',
    pattern: /\b_(?:authToken|auth|password)\s?=\s?["']?(?<secret>[^\s"'$<]{8,300})/dg,
    accepts: isReal,
  },
  { kind: 'digitalocean token', pattern: /\bdo[opr]_v1_[0-9a-f]{64}/dg },
  { kind: 'hugging face token', pattern: /\b(?:hf|api_org)_[A-Za-z0-9]{30,60}\b/dg },
  {
    kind: 'openai token',
    pattern: /\bsk-[\w-]{32,300}/dg,
    accepts: (key) => looksRandom(key.slice(key.lastIndexOf('-') + 1)),
  },
  { kind: 'anthropic token', pattern: /\bsk-ant-[\w-]{40,200}/dg },
  { kind: 'sentry token', pattern: /\bsntrys_eyJ[\w+/=-]{50,500}|\bsntryu_[0-9a-f]{64}/dg },
  { kind: 'new relic key', pattern: /\bNRAK-[A-Z0-9]{27}\b|\bNRJS-[0-9a-f]{19}\b/dg },
  { kind: 'postman key', pattern: /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}/dg },
  { kind: 'doppler token', pattern: /\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,100}/dg },
  { kind: 'pulumi token', pattern: /\bpul-[0-9a-f]{40}\b/dg },
  { kind: 'terraform token', pattern: /(?<=(?<opening>\b[A-Za-z0-9]{14}))\.atlasv1\.[\w=-]{60,80}/dg },
  { kind: 'planetscale token', pattern: /\bpscale_(?:tkn|pw|oauth)_[\w.-]{32,64}/dg },
  { kind: 'supabase key', pattern: /\bsbp_[0-9a-f]{40}\b|\bsb_secret_[\w-]{20,60}/dg },
  { kind: 'airtable token', pattern: /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}/dg },
  { kind: 'dynatrace token', pattern: /\bdt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/dg },
  { kind: 'heroku key', pattern: /\bHRKU-[\w-]{30,70}/dg },
  { kind: 'notion token', pattern: /\bsecret_[A-Za-z0-9]{43}\b/dg },
  { kind: 'tailscale key', pattern: /\btskey-[a-z]{3,10}-[\w-]{20,80}/dg },
  { kind: 'netlify token', pattern: /\bnfp_[A-Za-z0-9]{36,60}/dg },
  { kind: 'replicate token', pattern: /\br8_[A-Za-z0-9]{37}\b/dg },
  { kind: 'age secret key', pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,60}/dg },
  {
    kind: 'authorization header',
    pattern: /\b(?:bearer|token|bot|apikey)[ ]{1,3}(?<secret>[\w.~+/-]{16,4000}={0,2})/dgi,
    accepts: (value) => looksRandom(value),
  },
  {
    kind: 'authorization header',
    pattern: /\bbasic[ ]{1,3}(?<secret>[A-Za-z0-9+/]{8,1000}={0,2})/dgi,
    accepts: isNameAndPassword,
  },
  { kind: 'password', pattern: /:\/\/[^\s:@/"'`<>]{0,200}:(?<secret>[^\s/"'`<>]{3,300})@/dg, accepts: isRealPassword },
  {
    kind: 'token',
    pattern: /:\/\/(?<secret>[^\s:@/"'`<>]{16,300})(?::x-oauth-basic)?@/dg,
    accepts: (user) => looksRandom(user),
  },
]

export function foundByPatterns(text: string): Found[] {
  return PATTERNS.flatMap(({ kind, pattern, accepts }) =>
    matchesOf(pattern, text).flatMap(({ 0: all, index, indices }) => {
      const { secret, opening } = indices?.groups ?? {}
      const [start, end] = secret ?? [opening?.[0] ?? index, index + all.length]
      return !accepts || accepts(text.slice(start, end)) ? [{ start, end, kind }] : []
    }),
  )
}

/** Like `matchAll` without cloning the pattern, because there are many patterns and most texts are short. */
function matchesOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) matches.push(match)
  return matches
}

function isReal(value: string): boolean {
  return !isPlaceholder(value)
}

function isNameAndPassword(base64: string): boolean {
  const decoded = Buffer.from(base64, 'base64').toString('latin1')
  if (!/^[\x20-\x7e]+$/.test(decoded)) return false
  const colon = decoded.indexOf(':', Math.max(0, decoded.length - MAX_PASSWORD - 1))
  const password = decoded.slice(colon + 1)
  return colon !== -1 && colon <= MAX_NAME && password !== '' && isRealPassword(password)
}

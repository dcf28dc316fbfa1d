/**
 * Fake secrets to plant in pull requests. A seeded generator draws them, so that no literal here looks like a live
 * secret.
 */
export const plantedSecrets: { kind: string; text: string }[] = []

/** Each secret with the line or lines of code, configuration or a command that contain it. */
export function planted(): { line: string; secret: string }[] {
  return plants.map(({ text, line }) => ({ line, secret: text }))
}

const plants: { kind: string; text: string; line: string }[] = []

const DIGITS = '0123456789'
const HEX = `${DIGITS}abcdef`
const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const BASE36 = `${LOWER}${DIGITS}`
const BASE62 = `${UPPER}${LOWER}${DIGITS}`
const BASE64 = `${BASE62}+/`
const BASE64URL = `${BASE62}-_`

let state = 20_250_101
function randomBelow(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

function randomText(length: number, alphabet = BASE62): string {
  return Array.from({ length }, () => alphabet[randomBelow(alphabet.length)]).join('')
}

function plant(kind: string, text: string, line: string): void {
  plantedSecrets.push({ kind, text })
  plants.push({ kind, text, line: line.replace('@', () => text) })
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function jsonWebToken(alg: string): string {
  const claims = { sub: randomText(8, DIGITS), name: 'Ada', iat: 1_700_000_000 }
  return [base64url({ alg, typ: 'JWT' }), base64url(claims), randomText(43, BASE64URL)].join('.')
}

function armoured(label: string, opening: string, lines: number, width = 64): string {
  const body = [opening + randomText(width - opening.length, BASE64)]
  while (body.length < lines) body.push(randomText(width, BASE64))
  return [`-----BEGIN ${label}-----`, ...body, `${randomText(22, BASE64)}==`, `-----END ${label}-----`].join('\n')
}

plant('github token', `ghp_${randomText(36)}`, "const octokit = new Octokit({ auth: '@' })")
plant('github token', `gho_${randomText(36)}`, 'GITHUB_TOKEN=@')
plant('github token', `ghs_${randomText(36)}`, 'git clone https://x-access-token:@@github.com/acme/shop.git')
plant('github token', `github_pat_${randomText(22)}_${randomText(59)}`, '      GH_TOKEN: @')
plant(
  'gitlab token',
  `glpat-${randomText(20, BASE64URL)}`,
  'curl --header "PRIVATE-TOKEN: @" https://gitlab.example.com/api/v4/projects',
)
plant('gitlab token', `gldt-${randomText(20, BASE64URL)}`, '  password: @ # deploy token')
plant('bitbucket token', `ATBB${randomText(32)}`, 'BITBUCKET_APP_PASSWORD=@')
plant('atlassian token', `ATATT3xFfGF0${randomText(180, BASE64URL)}`, 'jira = JIRA(server, basic_auth=("ada", "@"))')
plant('aws access key id', `AKIA${randomText(16, `${UPPER}234567`)}`, 'aws_access_key_id = @')
plant('aws access key id', `ASIA${randomText(16, `${UPPER}234567`)}`, '  "AccessKeyId": "@",')
plant('aws secret access key', randomText(40, BASE64), 'AWS_SECRET_ACCESS_KEY=@')
plant('aws secret access key', randomText(40, BASE64), "  secretAccessKey: '@',")
plant('stripe key', `sk_live_${randomText(24)}`, 'stripe.api_key = "@"')
plant('stripe key', `sk_test_${randomText(99)}`, "const stripe = require('stripe')('@')")
plant('stripe key', `rk_live_${randomText(24)}`, '    value: "@"')
plant('webhook signing secret', `whsec_${randomText(32)}`, 'stripe.webhooks.constructEvent(body, signature, "@")')
plant(
  'google api key',
  `AIza${randomText(35, BASE64URL)}`,
  '<script src="https://maps.googleapis.com/maps/api/js?key=@"></script>',
)
plant('google api key', `AIza${randomText(35, BASE64URL)}`, "  apiKey: '@',")
plant(
  'google oauth secret',
  `GOCSPX-${randomText(28, BASE64URL)}`,
  '"client_secret":"@","redirect_uris":["http://localhost"]',
)
plant('google oauth token', `ya29.${randomText(120, BASE64URL)}`, 'access_token: @')
plant('json web token', jsonWebToken('HS256'), "localStorage.setItem('session', '@')")
plant('json web token', jsonWebToken('RS256'), "  .set('Authorization', 'Bearer @')")
plant('twilio key', `SK${randomText(32, HEX)}`, 'client = Client("@", auth)')
plant('twilio auth token', randomText(32, HEX), 'TWILIO_AUTH_TOKEN: @')
plant('mailgun key', `key-${randomText(32, HEX)}`, "curl -s --user 'api:@' https://api.mailgun.net/v3/messages")
plant(
  'mailgun key',
  `${randomText(32, HEX)}-${randomText(8, HEX)}-${randomText(8, HEX)}`,
  'mailgun({ domain, apiKey: "@" })',
)
plant('mailchimp key', `${randomText(32, HEX)}-us14`, "mailchimp.setConfig({ apiKey: '@', server: 'us14' })")
plant('sendgrid token', `SG.${randomText(22, BASE64URL)}.${randomText(43, BASE64URL)}`, "sgMail.setApiKey('@')")
plant(
  'telegram bot token',
  `${randomText(9, '123456789')}:AA${randomText(33, BASE64URL)}`,
  'bot = telebot.TeleBot("@")',
)
plant('discord bot token', `M${randomText(23)}.${randomText(6)}.${randomText(38, BASE64URL)}`, "client.login('@')")
plant(
  'discord webhook',
  randomText(68, BASE64URL),
  `hook = "https://discord.com/api/webhooks/${randomText(18, '123456789')}/@"`,
)
plant(
  'slack token',
  ['xoxb', randomText(12, DIGITS), randomText(12, DIGITS), randomText(24)].join('-'),
  'slack_token: "@"',
)
plant('slack token', ['xoxe.xoxp', '1', randomText(160)].join('-'), 'export SLACK_TOKEN=@')
plant(
  'slack webhook',
  `T${randomText(8, UPPER)}/B${randomText(10, UPPER)}/${randomText(24)}`,
  'curl -X POST https://hooks.slack.com/services/@',
)
plant(
  'azure storage key',
  `${randomText(86, BASE64)}==`,
  'AzureWebJobsStorage=AccountName=shop;AccountKey=@;EndpointSuffix=core.windows.net',
)
plant(
  'azure signature',
  `${randomText(43)}%3D`,
  'azcopy copy "https://shop.blob.core.windows.net/backup?sv=2022-11-02&sr=c&sp=rl&sig=@"',
)
plant('azure client secret', `${randomText(3)}8Q~${randomText(34)}`, 'AZURE_CLIENT_SECRET=@')
plant('pypi token', `pypi-AgEIcHlwaS5vcmc${randomText(150, BASE64URL)}`, 'twine upload -u __token__ -p @ dist/*')
plant('rubygems key', `rubygems_${randomText(48, HEX)}`, ':acme_api_key: @')
plant('npm token', `npm_${randomText(36)}`, '//registry.npmjs.org/:_authToken=@')
plant('npm token', randomText(36, HEX), '//npm.pkg.acme.dev/:_authToken=@')
plant('digitalocean token', `dop_v1_${randomText(64, HEX)}`, 'provider "digitalocean" { token = "@" }')
plant('hugging face token', `hf_${randomText(34)}`, 'login(token="@")')
plant('hugging face token', `hf_${randomText(34, LOWER)}`, 'HF_TOKEN=@ python train.py')
plant('openai token', `sk-${randomText(20)}T3BlbkFJ${randomText(20)}`, 'openai.api_key = "@"')
plant('openai token', `sk-proj-${randomText(124, BASE62)}`, 'OPENAI_API_KEY="@"')
plant('anthropic token', `sk-ant-api03-${randomText(93, BASE64URL)}AA`, "const claude = new Anthropic({ apiKey: '@' })")
plant('sentry token', `sntryu_${randomText(64, HEX)}`, 'sentry-cli --auth-token @ releases list')
plant('sentry dsn', randomText(32, HEX), 'Sentry.init({ dsn: "https://@@o42.ingest.sentry.io/4242" })')
plant('vault token', `hvs.${randomText(95)}`, 'VAULT_TOKEN=@ vault kv get secret/shop')
plant('databricks token', `dapi${randomText(32, HEX)}`, 'databricks configure --token @')
plant('shopify token', `shpat_${randomText(32, HEX)}`, "  'X-Shopify-Access-Token': '@',")
plant('linear token', `lin_api_${randomText(40)}`, "new LinearClient({ apiKey: '@' })")
plant('grafana token', `glsa_${randomText(32)}_${randomText(8, HEX)}`, 'Authorization: Bearer @')
plant('docker token', `dckr_pat_${randomText(27, BASE64URL)}`, 'echo @ | docker login -u acme --password-stdin')
plant('figma token', `figd_${randomText(40, BASE64URL)}`, 'curl -H "X-Figma-Token: @" https://api.figma.com/v1/me')
plant('postman key', `PMAK-${randomText(24, HEX)}-${randomText(34, HEX)}`, 'newman run --postman-api-key @ shop.json')
plant('terraform token', `${randomText(14)}.atlasv1.${randomText(67)}`, '  token = "@"')
plant('new relic key', `NRAK-${randomText(27, `${UPPER}${DIGITS}`)}`, 'NEW_RELIC_API_KEY: @')
plant('airtable token', `pat${randomText(14)}.${randomText(64, HEX)}`, 'Airtable.configure({ apiKey: "@" })')
plant('supabase key', `sbp_${randomText(40, HEX)}`, 'SUPABASE_ACCESS_TOKEN=@')
plant('age secret key', `AGE-SECRET-KEY-1${randomText(58, `${UPPER}${DIGITS}`)}`, '@')
plant('authorization header', randomText(40, BASE64URL), "    headers: { Authorization: 'Bearer @' },")
plant(
  'authorization header',
  Buffer.from(`deploy:${randomText(16)}`).toString('base64'),
  'curl -H "Authorization: Basic @" https://ci.acme.dev',
)
plant('password in an address', randomText(14), 'DATABASE_URL=postgres://shop:@@db.acme.internal:5432/shop')
plant('password in an address', randomText(20), 'redis_url = "redis://:@@cache.acme.internal:6379/0"')
plant(
  'password in an address',
  'S0mmer!Regen#7',
  "mongoose.connect('mongodb+srv://root:@@cluster0.abcde.mongodb.net/shop')",
)
plant('password on a command line', randomText(12), 'curl -sS -u deploy:@ https://nexus.acme.dev/repository/raw/')
plant('password', ['Winter', '2024!'].join(''), 'DB_PASSWORD="@"')
plant('password', ['kT9$', 'mQ2!vz'].join(''), "    'PASSWORD': '@',")
plant('password', randomText(18), '<property name="password">@</property>')
plant('secret by its name', randomText(64, HEX), "app.config['SECRET_KEY'] = '@'")
plant('secret by its name', randomText(32, HEX), 'API_KEY=@')
plant('secret by its name', randomText(43, BASE64URL), '  jwtSecret: "@",')
plant('secret by its name', randomText(50, BASE64URL), 'SECRET_KEY = "@"')
plant('secret by its name', randomText(32, BASE36), 'client_secret: @')
plant('secret by its name', `${randomText(43, BASE64)}=`, 'const encryptionKey: string = "@"')
plant('secret by its name', randomText(24), '- name: PAYMENT_API_KEY\n  value: "@"')
plant('secret by its name', randomText(40, HEX), '{\\"access_token\\":\\"@\\",\\"expires_in\\":3600}')
plant('private key', armoured('RSA PRIVATE KEY', 'MIIEowIBAAKCAQEA', 24), '@')
plant('private key', armoured('PRIVATE KEY', 'MIGHAgEAMBMGByqGSM49', 2), 'KEY = """@"""')
plant(
  'private key',
  armoured('OPENSSH PRIVATE KEY', btoa('openssh-key-v1\0\0\0\0\x04none').replace('=', ''), 5, 70),
  'ssh_key: |\n  @',
)
plant('private key', armoured('EC PRIVATE KEY', 'MHcCAQEEI', 2).replaceAll('\n', '\\n'), '  "private_key": "@\\n",')
plant('private key', armoured('PGP PRIVATE KEY BLOCK', 'lQOYBF', 8), "cat <<'EOF' | gpg --import\n@\nEOF")
plant('pullpress token', `pp_${randomText(64, HEX)}`, 'pullpress --as @ --quiet')

/**
 * Secrets that never were any, to be planted in pull requests: drawn by a generator that always draws the same, so that
 * no literal in here has the form of a live one.
 */
export const plantedSecrets: { kind: string; text: string }[] = []

/** Each secret in a line, or lines, as it would stand in code, in configuration or on a command line. */
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
function below(limit: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * limit)
}

function drawn(length: number, alphabet = BASE62): string {
  return Array.from({ length }, () => alphabet[below(alphabet.length)]).join('')
}

function plant(kind: string, text: string, line: string): void {
  plantedSecrets.push({ kind, text })
  plants.push({ kind, text, line: line.replace('@', () => text) })
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function jsonWebToken(alg: string): string {
  const claims = { sub: drawn(8, DIGITS), name: 'Ada', iat: 1_700_000_000 }
  return [base64url({ alg, typ: 'JWT' }), base64url(claims), drawn(43, BASE64URL)].join('.')
}

function armoured(label: string, opening: string, lines: number, width = 64): string {
  const body = [opening + drawn(width - opening.length, BASE64)]
  while (body.length < lines) body.push(drawn(width, BASE64))
  return [`-----BEGIN ${label}-----`, ...body, `${drawn(22, BASE64)}==`, `-----END ${label}-----`].join('\n')
}

plant('github token', `ghp_${drawn(36)}`, "const octokit = new Octokit({ auth: '@' })")
plant('github token', `gho_${drawn(36)}`, 'GITHUB_TOKEN=@')
plant('github token', `ghs_${drawn(36)}`, 'git clone https://x-access-token:@@github.com/acme/shop.git')
plant('github token', `github_pat_${drawn(22)}_${drawn(59)}`, '      GH_TOKEN: @')
plant(
  'gitlab token',
  `glpat-${drawn(20, BASE64URL)}`,
  'curl --header "PRIVATE-TOKEN: @" https://gitlab.example.com/api/v4/projects',
)
plant('gitlab token', `gldt-${drawn(20, BASE64URL)}`, '  password: @ # deploy token')
plant('bitbucket token', `ATBB${drawn(32)}`, 'BITBUCKET_APP_PASSWORD=@')
plant('atlassian token', `ATATT3xFfGF0${drawn(180, BASE64URL)}`, 'jira = JIRA(server, basic_auth=("ada", "@"))')
plant('aws access key id', `AKIA${drawn(16, `${UPPER}234567`)}`, 'aws_access_key_id = @')
plant('aws access key id', `ASIA${drawn(16, `${UPPER}234567`)}`, '  "AccessKeyId": "@",')
plant('aws secret access key', drawn(40, BASE64), 'AWS_SECRET_ACCESS_KEY=@')
plant('aws secret access key', drawn(40, BASE64), "  secretAccessKey: '@',")
plant('stripe key', `sk_live_${drawn(24)}`, 'stripe.api_key = "@"')
plant('stripe key', `sk_test_${drawn(99)}`, "const stripe = require('stripe')('@')")
plant('stripe key', `rk_live_${drawn(24)}`, '    value: "@"')
plant('webhook signing secret', `whsec_${drawn(32)}`, 'stripe.webhooks.constructEvent(body, signature, "@")')
plant(
  'google api key',
  `AIza${drawn(35, BASE64URL)}`,
  '<script src="https://maps.googleapis.com/maps/api/js?key=@"></script>',
)
plant('google api key', `AIza${drawn(35, BASE64URL)}`, "  apiKey: '@',")
plant(
  'google oauth secret',
  `GOCSPX-${drawn(28, BASE64URL)}`,
  '"client_secret":"@","redirect_uris":["http://localhost"]',
)
plant('google oauth token', `ya29.${drawn(120, BASE64URL)}`, 'access_token: @')
plant('json web token', jsonWebToken('HS256'), "localStorage.setItem('session', '@')")
plant('json web token', jsonWebToken('RS256'), "  .set('Authorization', 'Bearer @')")
plant('twilio key', `SK${drawn(32, HEX)}`, 'client = Client("@", auth)')
plant('twilio auth token', drawn(32, HEX), 'TWILIO_AUTH_TOKEN: @')
plant('mailgun key', `key-${drawn(32, HEX)}`, "curl -s --user 'api:@' https://api.mailgun.net/v3/messages")
plant('mailgun key', `${drawn(32, HEX)}-${drawn(8, HEX)}-${drawn(8, HEX)}`, 'mailgun({ domain, apiKey: "@" })')
plant('mailchimp key', `${drawn(32, HEX)}-us14`, "mailchimp.setConfig({ apiKey: '@', server: 'us14' })")
plant('sendgrid token', `SG.${drawn(22, BASE64URL)}.${drawn(43, BASE64URL)}`, "sgMail.setApiKey('@')")
plant('telegram bot token', `${drawn(9, '123456789')}:AA${drawn(33, BASE64URL)}`, 'bot = telebot.TeleBot("@")')
plant('discord bot token', `M${drawn(23)}.${drawn(6)}.${drawn(38, BASE64URL)}`, "client.login('@')")
plant('discord webhook', drawn(68, BASE64URL), `hook = "https://discord.com/api/webhooks/${drawn(18, '123456789')}/@"`)
plant('slack token', ['xoxb', drawn(12, DIGITS), drawn(12, DIGITS), drawn(24)].join('-'), 'slack_token: "@"')
plant('slack token', ['xoxe.xoxp', '1', drawn(160)].join('-'), 'export SLACK_TOKEN=@')
plant(
  'slack webhook',
  `T${drawn(8, UPPER)}/B${drawn(10, UPPER)}/${drawn(24)}`,
  'curl -X POST https://hooks.slack.com/services/@',
)
plant(
  'azure storage key',
  `${drawn(86, BASE64)}==`,
  'AzureWebJobsStorage=AccountName=shop;AccountKey=@;EndpointSuffix=core.windows.net',
)
plant(
  'azure signature',
  `${drawn(43)}%3D`,
  'azcopy copy "https://shop.blob.core.windows.net/backup?sv=2022-11-02&sr=c&sp=rl&sig=@"',
)
plant('azure client secret', `${drawn(3)}8Q~${drawn(34)}`, 'AZURE_CLIENT_SECRET=@')
plant('pypi token', `pypi-AgEIcHlwaS5vcmc${drawn(150, BASE64URL)}`, 'twine upload -u __token__ -p @ dist/*')
plant('rubygems key', `rubygems_${drawn(48, HEX)}`, ':acme_api_key: @')
plant('npm token', `npm_${drawn(36)}`, '//registry.npmjs.org/:_authToken=@')
plant('npm token', drawn(36, HEX), '//npm.pkg.acme.dev/:_authToken=@')
plant('digitalocean token', `dop_v1_${drawn(64, HEX)}`, 'provider "digitalocean" { token = "@" }')
plant('hugging face token', `hf_${drawn(34)}`, 'login(token="@")')
plant('hugging face token', `hf_${drawn(34, LOWER)}`, 'HF_TOKEN=@ python train.py')
plant('openai token', `sk-${drawn(20)}T3BlbkFJ${drawn(20)}`, 'openai.api_key = "@"')
plant('openai token', `sk-proj-${drawn(124, BASE62)}`, 'OPENAI_API_KEY="@"')
plant('anthropic token', `sk-ant-api03-${drawn(93, BASE64URL)}AA`, "const claude = new Anthropic({ apiKey: '@' })")
plant('sentry token', `sntryu_${drawn(64, HEX)}`, 'sentry-cli --auth-token @ releases list')
plant('sentry dsn', drawn(32, HEX), 'Sentry.init({ dsn: "https://@@o42.ingest.sentry.io/4242" })')
plant('vault token', `hvs.${drawn(95)}`, 'VAULT_TOKEN=@ vault kv get secret/shop')
plant('databricks token', `dapi${drawn(32, HEX)}`, 'databricks configure --token @')
plant('shopify token', `shpat_${drawn(32, HEX)}`, "  'X-Shopify-Access-Token': '@',")
plant('linear token', `lin_api_${drawn(40)}`, "new LinearClient({ apiKey: '@' })")
plant('grafana token', `glsa_${drawn(32)}_${drawn(8, HEX)}`, 'Authorization: Bearer @')
plant('docker token', `dckr_pat_${drawn(27, BASE64URL)}`, 'echo @ | docker login -u acme --password-stdin')
plant('figma token', `figd_${drawn(40, BASE64URL)}`, 'curl -H "X-Figma-Token: @" https://api.figma.com/v1/me')
plant('postman key', `PMAK-${drawn(24, HEX)}-${drawn(34, HEX)}`, 'newman run --postman-api-key @ shop.json')
plant('terraform token', `${drawn(14)}.atlasv1.${drawn(67)}`, '  token = "@"')
plant('new relic key', `NRAK-${drawn(27, `${UPPER}${DIGITS}`)}`, 'NEW_RELIC_API_KEY: @')
plant('airtable token', `pat${drawn(14)}.${drawn(64, HEX)}`, 'Airtable.configure({ apiKey: "@" })')
plant('supabase key', `sbp_${drawn(40, HEX)}`, 'SUPABASE_ACCESS_TOKEN=@')
plant('age secret key', `AGE-SECRET-KEY-1${drawn(58, `${UPPER}${DIGITS}`)}`, '@')
plant('authorization header', drawn(40, BASE64URL), "    headers: { Authorization: 'Bearer @' },")
plant(
  'authorization header',
  Buffer.from(`deploy:${drawn(16)}`).toString('base64'),
  'curl -H "Authorization: Basic @" https://ci.acme.dev',
)
plant('password in an address', drawn(14), 'DATABASE_URL=postgres://shop:@@db.acme.internal:5432/shop')
plant('password in an address', drawn(20), 'redis_url = "redis://:@@cache.acme.internal:6379/0"')
plant(
  'password in an address',
  'S0mmer!Regen#7',
  "mongoose.connect('mongodb+srv://root:@@cluster0.abcde.mongodb.net/shop')",
)
plant('password on a command line', drawn(12), 'curl -sS -u deploy:@ https://nexus.acme.dev/repository/raw/')
plant('password', ['Winter', '2024!'].join(''), 'DB_PASSWORD="@"')
plant('password', ['kT9$', 'mQ2!vz'].join(''), "    'PASSWORD': '@',")
plant('password', drawn(18), '<property name="password">@</property>')
plant('secret by its name', drawn(64, HEX), "app.config['SECRET_KEY'] = '@'")
plant('secret by its name', drawn(32, HEX), 'API_KEY=@')
plant('secret by its name', drawn(43, BASE64URL), '  jwtSecret: "@",')
plant('secret by its name', drawn(50, BASE64URL), 'SECRET_KEY = "@"')
plant('secret by its name', drawn(32, BASE36), 'client_secret: @')
plant('secret by its name', `${drawn(43, BASE64)}=`, 'const encryptionKey: string = "@"')
plant('secret by its name', drawn(24), '- name: PAYMENT_API_KEY\n  value: "@"')
plant('secret by its name', drawn(40, HEX), '{\\"access_token\\":\\"@\\",\\"expires_in\\":3600}')
plant('private key', armoured('RSA PRIVATE KEY', 'MIIEowIBAAKCAQEA', 24), '@')
plant('private key', armoured('PRIVATE KEY', 'MIGHAgEAMBMGByqGSM49', 2), 'KEY = """@"""')
plant(
  'private key',
  armoured('OPENSSH PRIVATE KEY', btoa('openssh-key-v1\0\0\0\0\x04none').replace('=', ''), 5, 70),
  'ssh_key: |\n  @',
)
plant('private key', armoured('EC PRIVATE KEY', 'MHcCAQEEI', 2).replaceAll('\n', '\\n'), '  "private_key": "@\\n",')
plant('private key', armoured('PGP PRIVATE KEY BLOCK', 'lQOYBF', 8), "cat <<'EOF' | gpg --import\n@\nEOF")

import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.ts'
import { ConfigError, readConfig } from '../../../src/runtime/config/config.ts'
import { whoMaySignUp } from '../../../src/runtime/config/signUp.ts'
import { SECRETS } from '../../../src/runtime/config/sources.ts'
import { variables } from '../../../src/runtime/config/variables.ts'

const key = (letter: string) => Buffer.alloc(32, letter).toString('base64')

test('the configuration is valid without any variable', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    address: '127.0.0.1',
    dataDir: '.data',
    databaseUrl: undefined,
    encryptionKeys: undefined,
    oidc: undefined,
    logLevel: 'info',
    corsOrigins: [],
    trustedProxies: [],
  })
  expect(readConfig({}).codeHost.apiUrl.href).toBe('https://api.github.com/')
})

test('trims the values of variables', () => {
  expect(readConfig({ OIDC_ISSUER: ' https://issuer.example.com ', OIDC_AUDIENCE: 'us' }).oidc?.issuer).toBe(
    'https://issuer.example.com',
  )
})

test('a small MODEL_TOKENS_PER_ARTICLE lowers the default of MODEL_TOKENS_PER_CALL to half of it', () => {
  const model = { OPENAI_API_KEY: 'sk-test' }
  expect(readConfig(model).model).toMatchObject({ tokensPerCall: 64_000, tokensPerArticle: 800_000 })
  expect(readConfig({ ...model, MODEL_TOKENS_PER_ARTICLE: '100000' }).model?.tokensPerCall).toBe(50_000)
  const both = { ...model, MODEL_TOKENS_PER_ARTICLE: '100000', MODEL_TOKENS_PER_CALL: '60000' }
  expect(() => readConfig(both)).toThrow('MODEL_TOKENS_PER_ARTICLE must be at least twice MODEL_TOKENS_PER_CALL')
})

test('limits what the model and each user may use in a day, unless told otherwise', () => {
  const { model, articles } = readConfig({ OPENAI_API_KEY: 'sk-test' })
  expect([model?.tokensPerDay, articles.quotaPerDay]).toEqual([2_000_000, 20])
})

test('treats an empty variable as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', OIDC_ISSUER: '', CORS_ORIGINS: '' })).toEqual(readConfig({}))
})

test('reads every kind of variable', () => {
  const config = readConfig({
    PORT: '8080',
    DATABASE_URL: 'postgres://db/pullpress',
    TOKEN_ENCRYPTION_KEY: `${key('a')}, ${key('b')}`,
    OIDC_ISSUER: 'https://issuer.example.com',
    OIDC_AUDIENCE: 'us',
    CORS_ORIGINS: 'https://a.example.com, https://b.example.com',
    OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1',
  })
  expect(config).toMatchObject({ port: 8080, corsOrigins: ['https://a.example.com', 'https://b.example.com'] })
  expect(config.encryptionKeys?.map((secret) => secret.reveal())).toEqual([key('a'), key('b')])
  expect(config.oidc).toMatchObject({
    issuer: 'https://issuer.example.com',
    audience: 'us',
    hostUserIdClaim: undefined,
  })
})

test('if Firebase issues the tokens, reads the code-host user id from the claim that Firebase uses', () => {
  const { oidc } = readConfig({ OIDC_ISSUER: 'https://securetoken.google.com/p', OIDC_AUDIENCE: 'p' })
  expect(oidc?.hostUserIdClaim).toBe('/firebase/identities/github.com/0')
})

test.each([
  [{ PORT: 'eighty' }, 'PORT must be a port number'],
  [{ PORT: '70000' }, 'PORT must be a port number'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of'],
  [{ CODE_HOST_API_URL: 'ftp://host' }, 'CODE_HOST_API_URL must be an http or https URL'],
  [{ CODE_HOST_API_URL: 'https://me:sesame@host' }, 'CODE_HOST_API_URL must not contain a user name or password'],
  [{ CODE_HOST_API_URL: 'https://sesame@host' }, 'CODE_HOST_API_URL must not contain a user name or password'],
  [{ CODE_HOST_API_URL: 'https://:sesame@host' }, 'CODE_HOST_API_URL must not contain a user name or password'],
  [{ DATABASE_URL: 'mysql://sesame@db' }, 'DATABASE_URL must be a postgres:// URL'],
  [{ DATABASE_URL: 'postgres://sesame@db' }, 'TOKEN_ENCRYPTION_KEY is required with DATABASE_URL'],
  [{ TOKEN_ENCRYPTION_KEY: 'sesame' }, 'TOKEN_ENCRYPTION_KEY key 1 is not 32 bytes in base64'],
  [{ TOKEN_ENCRYPTION_KEY: `${key('a')},sesame` }, 'TOKEN_ENCRYPTION_KEY key 2 is not 32 bytes in base64'],
  [{ CODE_HOST_TOKEN: 'sesame open' }, 'CODE_HOST_TOKEN must be printable ASCII'],
  [{ OIDC_ISSUER: 'https://issuer' }, 'OIDC_AUDIENCE is required with OIDC_ISSUER'],
  [{ OIDC_AUDIENCE: 'us' }, 'OIDC_AUDIENCE requires OIDC_ISSUER'],
  [{ OIDC_HOST_USER_ID_CLAIM: '/user_metadata/id' }, 'OIDC_HOST_USER_ID_CLAIM must not point at user_metadata'],
  [{ OIDC_HOST_USER_ID_CLAIM: 'sub' }, 'OIDC_HOST_USER_ID_CLAIM must be a JSON pointer'],
  [{ CORS_ORIGINS: 'https://a,,https://b' }, 'CORS_ORIGINS must be origins'],
  [{ CORS_ORIGINS: 'https://a/path' }, 'CORS_ORIGINS must be origins'],
  [{ CORS_ORIGINS: '*:*' }, 'CORS_ORIGINS must be origins'],
  [{ LANGUAGES: 'ja,zz' }, 'LANGUAGES must be language codes'],
  [{ LANGUAGES: 'ja,' }, 'LANGUAGES must be language codes'],
  [{ SIGN_UP: 'everybody' }, 'SIGN_UP must be open, closed, or a list such as organizations:acme,logins:alice,bob'],
  [{ SIGN_UP: 'alice,logins:bob' }, 'SIGN_UP must be'],
  [{ SIGN_UP: 'logins:' }, 'SIGN_UP must be'],
  [{ SIGN_UP: 'open,logins:alice' }, 'SIGN_UP must be'],
  [{ TRUSTED_PROXIES: 'proxy' }, 'TRUSTED_PROXIES must be addresses or ranges'],
])('rejects the variables %j', (env, problem) => {
  const read = () => readConfig(env)
  expect(read).toThrow(ConfigError)
  expect(read).toThrow(problem)
  expect(read).not.toThrow('sesame')
})

test.each<[NodeJS.ProcessEnv, string]>([
  [{}, 'Everybody may sign up.'],
  [{ ADDRESS: '::1' }, 'Everybody may sign up.'],
  [{ ADDRESS: 'localhost' }, 'Everybody may sign up.'],
  [{ ADDRESS: '0.0.0.0' }, 'Nobody new may sign up.'],
  [{ ADDRESS: 'press.example.com' }, 'Nobody new may sign up.'],
  [{ PUBLIC_URL: 'https://press.example.com' }, 'Nobody new may sign up.'],
  [{ PUBLIC_URL: 'https://press.example.com', SIGN_UP: 'open' }, 'Everybody may sign up.'],
  [{ SIGN_UP: 'closed' }, 'Nobody new may sign up.'],
  [{ SIGN_UP: 'logins:alice, bob' }, 'Only these may sign up: the users alice, bob.'],
  [{ SIGN_UP: 'organizations:acme' }, 'Only these may sign up: members of acme.'],
  [
    { SIGN_UP: 'organizations:acme,ajax,logins:alice' },
    'Only these may sign up: members of acme, ajax; the user alice.',
  ],
  [
    { SIGN_UP: `logins:${[...'abcdefghijkl'].join()}` },
    'Only these may sign up: the users a, b, c, d, e, f, g, h, i, j, 2 more.',
  ],
])('with the variables %j, says: %s', (env, sentence) => {
  expect(whoMaySignUp(readConfig(env).signUp)).toBe(sentence)
})

test('the error names every invalid variable', () => {
  expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y', OIDC_ISSUER: 'z' })).toThrow(
    /PORT[\s\S]*OIDC_ISSUER[\s\S]*LOG_LEVEL/,
  )
})

test('hides secrets when the configuration is printed', () => {
  const config = readConfig({ CODE_HOST_TOKEN: 'sesame', OPENAI_API_KEY: 'sesame', DATA_DIR: '/tmp/x' })
  expect(JSON.stringify(config)).not.toContain('sesame')
  expect(`${config.codeHost.token}`).toBe('[secret]')
})

const folder = await mkdtemp(join(tmpdir(), 'pullpress-config-'))
afterAll(() => rm(folder, { recursive: true }))
async function fileWith(text: string): Promise<string> {
  const path = join(folder, randomUUID())
  await writeFile(path, text)
  return path
}

test('reads secrets from files', async () => {
  const config = readConfig({
    DATABASE_URL_FILE: await fileWith('postgres://db/pullpress\n'),
    TOKEN_ENCRYPTION_KEY_FILE: await fileWith(`${key('a')}\r\n`),
    OPENAI_API_KEY_FILE: await fileWith(' sk-test '),
  })
  expect(config.databaseUrl?.reveal()).toBe('postgres://db/pullpress')
  expect(config.encryptionKeys?.map((secret) => secret.reveal())).toEqual([key('a')])
  expect(config.model?.apiKey.reveal()).toBe('sk-test')
})

test('the error names a missing or empty secret file or a secret that is set twice, but not its value', async () => {
  const read = (environment: NodeJS.ProcessEnv) => () => readConfig(environment)
  expect(read({ OPENAI_API_KEY_FILE: join(folder, 'none') })).toThrow(
    'OPENAI_API_KEY_FILE names a file that cannot be read (ENOENT)',
  )
  expect(read({ OPENAI_API_KEY_FILE: folder })).toThrow('OPENAI_API_KEY_FILE names a file that cannot be read (EISDIR)')
  expect(read({ OPENAI_API_KEY_FILE: await fileWith('\n') })).toThrow('OPENAI_API_KEY_FILE names an empty file')
  const both = { CODE_HOST_TOKEN: 'sesame', CODE_HOST_TOKEN_FILE: await fileWith('sesame') }
  expect(read(both)).toThrow('CODE_HOST_TOKEN and CODE_HOST_TOKEN_FILE are both set: keep one of them')
  expect(read(both)).not.toThrow('sesame')
  // The error must not suggest generating a key: a new key would make the stored data unreadable.
  const key = { DATABASE_URL: 'postgres://db/pullpress', TOKEN_ENCRYPTION_KEY_FILE: join(folder, 'none') }
  expect(read(key)).toThrow('TOKEN_ENCRYPTION_KEY_FILE names')
  expect(read(key)).not.toThrow('generate')
})

test('every secret may come from a file', () => {
  const value = [`${key('a')}`, 'postgres://db/pullpress', 'redis://redis', 'sesame-open-sesame']
  const names = Object.entries(variables).flatMap(([name, validator]) => {
    const parsed = value.map((text) => {
      try {
        return validator._parse(text)
      } catch {
        return undefined
      }
    })
    return parsed.flat().some((each) => each instanceof Secret) ? name : []
  })
  expect(names.toSorted()).toEqual(SECRETS.toSorted())
})

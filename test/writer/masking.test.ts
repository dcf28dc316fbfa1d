import { expect, test } from 'vitest'
import { secretMasker } from '../../src/writer/secrets/masker.ts'

const KEY = 'kT9mQ2vzXw4RbN7cLp3FsG8h'
const BODY = `MIIEow${KEY}${KEY}${KEY}`.slice(0, 64)
const TOKEN = `eyJ${KEY.slice(0, 20)}.${KEY}.${KEY}`

async function masked(...lines: string[]): Promise<string[]> {
  return secretMasker().mask(lines)
}

const values: Record<string, [line: string, masked: string]> = {
  'several names for one value': [
    `client_secret_access_key_token: "${KEY}"`,
    'client_secret_access_key_token: "[masked secret 1: secret]"',
  ],
  'a type before the value': [`const token: string = '${KEY}'`, "const token: string = '[masked secret 1: token]'"],
  'a value two lines below its name': [
    `- name: API_KEY\n  value: "${KEY}"`,
    '- name: API_KEY\n  value: "[masked secret 1: secret]"',
  ],
  'escaped quotes': [`{\\"token\\":\\"${KEY}\\"}`, '{\\"token\\":\\"[masked secret 1: token]\\"}'],
  'a name in the value of another': [`key=token=${KEY}`, 'key=[masked secret 1: key]'],
  'a token after a hyphen': [`session-${TOKEN}`, 'session-[masked secret 1: json web token]'],
  'the first of two -u options': [
    `curl -u a:${KEY} | sort -u b:c0mpar3d!`,
    'curl -u a:[masked secret 1: password] | sort -u b:c0mpar3d!',
  ],
}

test.each(Object.entries(values))('masks a secret value: %s', async (_, [line, expected]) => {
  expect((await masked(...line.split('\n'))).join('\n')).toBe(expected)
})

test('keeps harmless values whose keys contain many words for secrets', async () => {
  const address = `https://example.com/${'reset/of/the/form/'.repeat(10)}`
  const lines = Array.from({ length: 200 }, (_, index) => `"authClientSecretTokenPassword${index}": "${address}",`)
  expect(await masked(...lines)).toEqual(lines)
})

test('masks a private key that is complete, or cut at its start or end', async () => {
  const begin = '-----BEGIN RSA PRIVATE KEY-----'
  const end = '-----END RSA PRIVATE KEY-----'
  const mask = ['[masked secret 1: private key]', '[masked secret 1, continued]', '[masked secret 1, continued]']
  expect(await masked(begin, BODY, end, 'code()')).toEqual([...mask, 'code()'])
  expect(await masked(begin, BODY, 'aB3dE6gH9=', 'code()')).toEqual([...mask, 'code()'])
  expect(await masked('//', 'aB3dE6gH9=', end, 'code()')).toEqual([...mask, 'code()'])
})

test('keeps a certificate, but masks it after the first line of a private key', async () => {
  const certificate = ['-----BEGIN CERTIFICATE-----', BODY, '-----END CERTIFICATE-----']
  expect(await masked(...certificate)).toEqual(certificate)
  const [, , replaced] = await masked('-----BEGIN PRIVATE KEY-----', '-----BEGIN CERTIFICATE-----', BODY)
  expect(replaced).toBe('[masked secret 1: private key]')
})

test('a private key has the same number with another indentation', async () => {
  const masker = secretMasker()
  const key = ['-----BEGIN RSA PRIVATE KEY-----', BODY, '-----END RSA PRIVATE KEY-----']
  await masker.mask([`token = "${TOKEN}"`, ...key])
  const moved = await masker.mask(key.map((line) => `  ${line}`))
  expect(moved[0]?.trim()).toBe('[masked secret 2: private key]')
  expect(masker.count).toBe(2)
})

test('recognizes a secret without its name and inside other text', async () => {
  const masker = secretMasker()
  await masker.mask([`token = "${KEY}"`])
  expect(await masker.mask([`x${KEY}y`, KEY])).toEqual(['x[masked secret 1: token]y', '[masked secret 1: token]'])
})

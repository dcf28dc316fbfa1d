import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { promptOf } from '../support/fakeModel.ts'
import { planted, plantedSecrets } from '../support/plantedSecrets.ts'
import { changed } from '../support/pulls.ts'
import { excerptsOf, withLines } from '../support/rendered.ts'
import { storedPull } from '../support/storedPull.ts'
import { outlined, written } from '../support/writing.ts'

const limits = { tokensPerCall: 60_000 }
const lines = planted().flatMap(({ line }) => line.split('\n'))
const everywhere = lines.join('\n')
const one = planted()[0]?.line.split('\n')[0] ?? ''
const at = '2026-01-01T00:00:00Z'
const inPath = `src/${plantedSecrets.find(({ kind }) => /github/i.test(kind))?.text}.ts`
const repository = { issues: [{ number: 2, title: one, body: everywhere }] }
const pull = {
  title: `Rotate ${planted()[0]?.line}`,
  body: `Fixes #2.\n${everywhere}`,
  labels: [one.slice(0, 100)],
  milestone: one,
  baseBranch: one,
  commits: [{ message: `chore: keys\n\n${everywhere}`, author: 'a' }],
  comments: [{ author: 'b', body: everywhere, at }],
  reviewComments: [{ author: 'b', body: 'Is this its name?', at, path: inPath, line: 1 }],
  files: [
    { ...changed('src/renamed.ts'), previous_filename: inPath, status: 'renamed' },
    {
      filename: 'src/keys.ts',
      status: 'added',
      additions: lines.length,
      deletions: 0,
      patch: `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`,
    },
  ],
}

test(`sends none of ${plantedSecrets.length} planted secrets to the model`, async () => {
  expect(plantedSecrets.length).toBeGreaterThanOrEqual(60)
  expect(new Set(plantedSecrets.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20)
  const { content, requests } = await written({ pull, repository, limits })
  expect(content.coverage.secretsMasked).toBeGreaterThanOrEqual(60)
  const prompt = requests.map(promptOf).join('\n')
  for (const { kind, text } of plantedSecrets)
    for (const part of text.split('\n').filter((line) => line.length > 7))
      expect(prompt.includes(part), `sent: ${kind}`).toBe(false)
  expect(prompt).toContain('[masked secret 1: ')
  expect(prompt).toContain('[Issue #2 by')
  expect(requests.map(promptOf)[0]).toContain('stands where something looked like a secret')
})

test('masks a secret that stands where a long text is cut', async () => {
  const secret = plantedSecrets.find(({ kind }) => /github/i.test(kind))?.text ?? ''
  const body = `${'word '.repeat(1600).slice(0, 7975)} ${secret}`
  const comments = [{ author: 'b', body, at }]
  const { requests } = await written({ pull: { comments }, limits })
  expect(requests.map(promptOf).join()).toContain('[masked secret')
  expect(requests.map(promptOf).join()).not.toContain(secret.slice(0, 20))
})

test('masking alters less than one percent of the lines of code without secrets', async () => {
  const folder = join(import.meta.dirname, '../../src/db')
  // Uses as many files as an article reads completely.
  const names = (await readdir(folder, { recursive: true }))
    .sort()
    .filter((name) => name.endsWith('.ts'))
    .slice(0, 30)
  const files = await Promise.all(
    names.map(async (name) => {
      const lines = (await readFile(join(folder, name), 'utf8')).split('\n').filter((line) => line.trim() !== '')
      const patch = `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`
      return { lines, filename: `src/${name}`, status: 'added', additions: lines.length, deletions: 0, patch }
    }),
  )
  const { requests } = await written({ pull: { files }, limits })
  const printed = requests.flatMap((request) => promptOf(request).split('\n'))
  const sent = new Set(printed.map((line) => line.replace(/^ *\d+ \+ /, '')))
  // The prompt condenses long runs of similar lines and says how many lines it leaves out.
  const condensed = printed.map((line) => Number(/^ *… (\d+) more lines like these/.exec(line)?.[1] ?? 0))
  const clean = files.flatMap(({ lines }) => lines)
  const altered = clean.filter((line) => !sent.has(line.trimEnd())).length - condensed.reduce((sum, n) => sum + n, 0)
  expect(clean.length).toBeGreaterThan(1000)
  expect(altered / clean.length).toBeLessThan(0.01)
  expect(printed.filter((line) => line.includes('[masked secret')).length / clean.length).toBeLessThan(0.01)
})

test('shows no secret in an outline', async () => {
  const content = await outlined(pull, 'ja', repository)
  const shown = withLines(content, await excerptsOf({ content, stored: await storedPull(pull, repository) }))
  const cited = shown.lead?.evidence[0]?.lines
  expect(cited).toHaveLength(60)
  expect(cited?.[0]?.text).toContain('[masked secret 1: ')
  for (const { kind, text } of plantedSecrets)
    for (const part of text.split('\n').filter((line) => line.length > 7))
      expect(JSON.stringify(shown).includes(part), `shown: ${kind}`).toBe(false)
})

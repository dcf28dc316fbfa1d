import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../scripts/lintWorkflows.ts', import.meta.url))

const faulty = `on: { push: { branchs: [main] } }
permissions: { contents: reed }
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout
      - run: echo \${{ github.nowhere }} \${{ steps.unknown.outputs.digest }}
      - run: echo \${{ secrts.TOKEN }}
`

test('the linter of workflows finds errors in schema and expressions, and names their lines', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pullpress-workflows-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'faulty.yml'), faulty)
  const refused = await run(process.execPath, [script, folder]).catch(
    (error: { code: number; stderr: string }) => error,
  )
  expect(refused).toMatchObject({ code: 1 })
  const lines = [...refused.stderr.matchAll(/faulty\.yml:(\d+) (.*)/g)].map(([, line, message]) => `${line} ${message}`)
  for (const fault of [/^1 .*branchs/, /^2 .*reed/, /^7 .*actions\/checkout/, /^9 .*secrts/])
    expect(lines).toContainEqual(expect.stringMatching(fault))
})

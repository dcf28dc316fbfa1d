import { expect, test } from 'vitest'
import type { StoredContent } from '../../src/writer/content.ts'
import type { PullRequestDocument } from '../../src/writer/facts/document.ts'
import { excerptsOf } from '../../src/writer/render/excerpts.ts'
import { secretMasker } from '../../src/writer/secrets/masker.ts'

const cited = (startLine: number, endLine: number) => ({
  ...{ path: 'a.ts', side: 'new', startLine, endLine, url: `https://host.example/#R${startLine}-R${endLine}` },
})
type Cited = ReturnType<typeof cited>

/** The lines of each excerpt that is stored for an article with these citations of a new file. */
async function excerpted(lines: string[], evidence: Cited[], mask = async (texts: string[]) => texts) {
  const diff = [
    'diff --git a/a.ts b/a.ts\n--- /dev/null\n+++ b/a.ts',
    `@@ -0,0 +1,${lines.length} @@`,
    ...lines.map((line) => `+${line}`),
  ].join('\n')
  const content = { mainChanges: [{ evidence }] } as unknown as StoredContent
  const pull = { files: [{ path: 'a.ts' }], diff: `${diff}\n` } as PullRequestDocument
  return Object.values(await excerptsOf(content, pull, mask)).map((excerpt) => excerpt.lines.map(({ text }) => text))
}

test('stores the lines of a repeated citation only once, so that all cited lines fit', async () => {
  const lines = Array.from({ length: 120 }, () => 'x'.repeat(390))
  const evidence = [...Array.from({ length: 9 }, () => cited(1, 60)), cited(61, 120)]
  expect((await excerpted(lines, evidence)).map(({ length }) => length)).toEqual([60, 60])
})

test('removes carriage returns if all lines end with one, but keeps them if only some lines do', async () => {
  expect(await excerpted(['a\r', 'b\r'], [cited(1, 2)])).toEqual([['a', 'b']])
  expect(await excerpted(['a', 'b\r'], [cited(1, 2)])).toEqual([['a', 'b\r']])
})

test('masks secrets before it cuts long lines', async () => {
  const key = `ghp_${'aB3dE6gH9k'.repeat(4).slice(0, 36)}`
  const padding = 'x '.repeat(190)
  const [[line = '', other = ''] = []] = await excerpted(
    [`${padding}${key}${padding}`, 'y'.repeat(5000)],
    [cited(1, 2)],
    secretMasker().mask,
  )
  expect(line).toMatch(/^[x ]{380}\[masked secret 1: /)
  expect([line.length, other]).toEqual([401, `${'y'.repeat(400)}…`])
})

test('looks up many citations of a large file quickly', async () => {
  const lines = Array.from({ length: 200_000 }, () => 'x')
  const evidence = Array.from({ length: 1600 }, (_, i) => cited(100 * i + 1, 100 * i + 100))
  // Measures CPU time, which does not depend on other load on the machine.
  const before = process.threadCpuUsage()
  expect(await excerpted(lines, evidence)).toHaveLength(1600)
  expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000)
})

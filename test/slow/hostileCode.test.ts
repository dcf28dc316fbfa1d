import { expect, test } from 'vitest'
import { THREAD_LIMITS } from '../../src/runtime/threads/threads.ts'
import { highlighter } from '../../src/writer/render/highlight.ts'
import { highlighted, shownLine, textOf } from '../support/highlighted.ts'

const linesOf = (text: string, length: number) => text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
const hostile: Record<string, string[]> = {
  'brackets in one line': ['('.repeat(100_000)],
  'brackets in long lines': linesOf('([{<'.repeat(25_000), 400),
  'brackets in a block': linesOf('([{<'.repeat(2000), 400),
  'nested templates': linesOf('`${'.repeat(2600), 400),
  'a line of 1 MB': ['x'.repeat(1_000_000), 'const a'],
  'lines inside of a line': ['const a\nconst b\r\n', 'a\rb'],
  'lone surrogates and controls': ['\ud800"a\udc00"\u0000\u2028', '👩‍👩‍👧 = "é"'],
}
const cpuMs = () => (({ user, system }) => (user + system) / 1000)(process.threadCpuUsage())

test.each(Object.entries(hostile))(
  'in less than a sixth of the thread deadline, shows code with %s unchanged',
  async (_, lines) => {
    for (const path of ['a.ts', 'a.py', 'a.md']) {
      await highlighted(['int a'], path)
      const startedAt = cpuMs()
      const result = await highlighted(lines, path)
      expect(cpuMs() - startedAt, path).toBeLessThan(THREAD_LIMITS.deadlineMs / 6)
      expect(result.map(textOf)).toEqual(lines)
    }
  },
)

test('stops highlighting the code of an article after a few seconds, and shows the remaining code plain', async () => {
  const highlight = await highlighter()
  const lines = linesOf('-{[/'.repeat(2000), 400)
  const startedAt = cpuMs()
  for (let i = 0; i < 40; i++) expect(highlight(lines, 'a.cpp').map(textOf)).toEqual(lines)
  expect(cpuMs() - startedAt).toBeLessThan(THREAD_LIMITS.deadlineMs)
  expect(String(highlight(['int a'], 'a.cpp'))).toBe('int a')
  expect(await shownLine('int a;', 'a.cpp')).toBe('k[int] a;')
})

import { expect, test } from 'vitest'
import { changedLinesOf } from '../../src/writer/render/changedLines.ts'

test('a path belongs to the new file if another file was moved away from it', () => {
  const moved = 'diff --git a/a.ts b/b.ts\n--- a/a.ts\n+++ b/b.ts\n@@ -5 +5 @@\n-old\n+moved\n'
  const added = 'diff --git a/a.ts b/a.ts\n--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1 @@\n+added\n'
  const files = [
    { path: 'b.ts', previousPath: 'a.ts' },
    { path: 'a.ts', previousPath: null },
  ]
  const code = { kind: 'code', before: null, after: { path: 'a.ts' } }
  const content = { mainChanges: [{ figures: [code] }] }
  const isChanged = changedLinesOf(
    content as unknown as Parameters<typeof changedLinesOf>[0],
    { files, diff: moved + added } as Parameters<typeof changedLinesOf>[1],
  )
  expect([isChanged('new', 'a.ts', 1), isChanged('new', 'a.ts', 5)]).toEqual([true, false])
})

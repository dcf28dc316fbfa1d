import { expect, test } from 'vitest'
import { gatheredNotes } from '../../src/writer/prompts/notes.ts'
import { citableIn } from '../../src/writer/proof/citable.ts'
import { type ChangedFile, changedFilesOf } from '../../src/writer/reading/changedFiles.ts'

const count = (text: string) => text.length / 4

test('leaves out a note that cites too many lines, but keeps the notes after it', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `+const value${i} = ${i}`)
  const diff = `diff --git a/a.ts b/a.ts\n--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2000 @@\n${rows.join('\n')}\n`
  const file = { path: 'a.ts', previousPath: null, status: 'added', additions: 2000, deletions: 0, patch: 'text' }
  const files = await changedFilesOf({ files: [file as ChangedFile], diff }, async (texts) => texts)
  const parts = [files.map((file) => ({ file, hunks: file.hunks, clipped: false, width: 4 }))]
  const note = (description: string, weight: number, endLine: number) => ({
    ...{ fileName: 'a.ts', changeTypes: ['FIX' as const], description, weight },
    evidence: [{ path: 'a.ts', side: 'new' as const, startLine: 1, endLine }],
  })
  const notes = [{ mainChanges: [note('all', 5, 2000), note('three', 4, 3), note('two', 3, 2)], notablePoints: [] }]
  const gathered = gatheredNotes(notes, parts, citableIn(files, parts.flat()), 500, count)
  expect(gathered.match(/(?<=^> note: )\w+/gm)).toEqual(['three', 'two'])
  expect(gathered).toContain('+ const value2 = 2')
})

import type { FakeFile } from '../../../scripts/fakeHost/fakeRepository.ts'

export const MEGABYTE = 1_000_000

export function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i))
}

/** A new file with these lines. */
export function added(filename: string, lines: string[]): FakeFile {
  return {
    filename,
    status: 'added',
    additions: lines.length,
    deletions: 0,
    patch: `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join('\n')}`,
  }
}

/** A new file that repeats one line up to about this many characters. */
export function filled(filename: string, line: string, characters = 900_000): FakeFile {
  return added(filename, Array(Math.floor(characters / (line.length + 2))).fill(line))
}

/** Ordinary code of about this many characters, with all files different. */
export function harmless(characters: number): FakeFile[] {
  const perFile = Math.min(characters, 400_000)
  return times(Math.ceil(characters / perFile), (file) => {
    const lines = times(Math.floor(perFile / 48), (i) =>
      i % 12 === 0
        ? `export function step${file}x${i}(input: Request) {`
        : `  const value${i} = input.field${i % 7} ?? fallback(${i})`,
    )
    return added(`src/module${file}/handler.ts`, lines)
  })
}

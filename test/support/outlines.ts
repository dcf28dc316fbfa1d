import type { StoredContent } from '../../src/writer/content.ts'

/** The code figures of an outline. */
export function codeIn({ mainChanges }: Pick<StoredContent, 'mainChanges'>) {
  return mainChanges.flatMap(({ figures }) => figures.filter((figure) => figure.kind === 'code'))
}

/** A patch of one hunk that begins at line 10. */
export function patchOf(lines: string[], heading = ''): string {
  const count = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length
  return [`@@ -10,${count('+')} +10,${count('-')} @@ ${heading}`, ...lines].join('\n')
}

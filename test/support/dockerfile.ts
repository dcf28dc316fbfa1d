import { cp, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'

interface Copy {
  /** The build stage to copy from; undefined if the sources are files of the project. */
  from: string | undefined
  sources: string[]
  target: string
}

/** The COPY instructions of the last stage of a Dockerfile, each on a line of its own. */
export function lastCopies(dockerfile: string): Copy[] {
  const lastStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '))
  return lastStage
    .matchAll(/^COPY ((?:--\S+ +)*)(.+) (\S+)$/gm)
    .map(([, options = '', sources = '', target = '']) => {
      return { from: /--from=(\S+)/.exec(options)?.[1], sources: sources.split(/ +/), target }
    })
    .toArray()
}

/** Copies sources into `folder` as Docker copies them into the working directory: of a folder, only its contents. */
export async function copyInto(folder: string, project: string, { sources, target }: Copy): Promise<void> {
  for (const source of sources) {
    const from = resolve(project, source)
    const isIntoFolder = target.endsWith('/') && !(await stat(from)).isDirectory()
    await cp(from, join(folder, target, isIntoFolder ? basename(source) : ''), { recursive: true })
  }
}

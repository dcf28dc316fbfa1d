import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Instruction, Stage } from './dockerfile.ts'

/** Docker's own. */
export const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What the instructions of a stage have built. */
export interface Image {
  root: string
  env: Record<string, string>
  workdir: string
  user: string
  command: string[]
  healthCheck: string[]
}

/** Runs the instructions of a stage in `root`, a copy of the base image's file system. */
export function buildStage(stage: Stage, root: string, project: string, rootOf: (stage: string) => string): Image {
  const image: Image = { root, env: {}, workdir: '/', user: 'root', command: [], healthCheck: [] }
  for (const instruction of stage.instructions) {
    console.log(`  ${instruction.name} ${instruction.text.slice(0, 90)}`)
    const { from, chown } = instruction.options
    apply(image, instruction, from ? rootOf(from) : project)
    if (chown) inRoot(image, ['chown', '-R', chown, instruction.text.split(/\s+/).at(-1) ?? ''])
  }
  return image
}

function apply(image: Image, { name, text }: Instruction, source: string): void {
  switch (name) {
    case 'WORKDIR':
      image.workdir = text
      mkdirSync(join(image.root, text), { recursive: true })
      break
    case 'ENV':
      for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) image.env[key] = value
      break
    case 'COPY':
      copy(image, text.split(/\s+/), source)
      break
    case 'RUN':
      inRoot(image, ['sh', '-c', text])
      break
    case 'USER':
      image.user = text
      break
    case 'CMD':
      image.command = JSON.parse(text)
      break
    case 'HEALTHCHECK':
      image.healthCheck = JSON.parse(text.replace(/^.*?CMD /, ''))
      break
    case 'VOLUME':
    case 'EXPOSE':
      break
    default:
      throw new Error(`This script does not know ${name}.`)
  }
}

/** Folders are copied by their contents, as Docker does. */
export function copy({ root, workdir }: Pick<Image, 'root' | 'workdir'>, paths: string[], source: string): void {
  const target = paths.at(-1) ?? ''
  const destination = join(root, resolve(workdir, target))
  for (const path of paths.slice(0, -1)) {
    const from = join(source, path)
    const isIntoFolder = !statSync(from).isDirectory() && target.endsWith('/')
    cpSync(from, isIntoFolder ? join(destination, basename(path)) : destination, { recursive: true })
  }
}

/** Settings of npm, such as the registry, are passed on; nothing else of this machine is. */
function inRoot({ root, workdir, env }: Image, command: string[]): void {
  const settings = Object.entries(process.env).filter(([name]) => name.startsWith('npm_config_'))
  execFileSync('chroot', [root, 'sh', '-c', 'cd "$0" && exec "$@"', workdir, ...command], {
    env: { PATH, HOME: '/root', ...Object.fromEntries(settings), ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

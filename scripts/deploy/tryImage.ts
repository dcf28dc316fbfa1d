import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createApi } from '../demo/api.ts'
import { press } from '../demo/press.ts'
import { samples } from '../demo/samples.ts'
import { startFakeHost } from '../fakeHost/fakeHost.ts'
import { readDockerfile } from './dockerfile.ts'
import { buildStage, type Image, PATH } from './image.ts'

/**
 * Runs the steps of the Dockerfile without Docker, in copies of a clean root file system, and tries the result: start,
 * health check, an article, a read-only root. Needs root rights. See README.md for how to make the file system.
 */
const PORT = '3979'
const URL_OF_SERVICE = `http://127.0.0.1:${PORT}`
const START_MS = 60_000
const MEBIBYTE = 1024 * 1024

const [base] = process.argv.slice(2)
if (!base) {
  console.error('Usage: node scripts/deploy/tryImage.ts <folder with Debian, Node 24, npm and the user node>')
  process.exit(2)
}
const project = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'pullpress-image-'))
try {
  await tryService(buildImage(base))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function buildImage(from: string): Image {
  const stages = readDockerfile(readFileSync(join(project, 'Dockerfile'), 'utf8'))
  const rootOf = (stage: string) => join(folder, stage || 'image')
  const images = stages.map((stage) => {
    console.log(stage.name || 'image')
    execFileSync('cp', ['--archive', from, rootOf(stage.name)])
    return buildStage(stage, rootOf(stage.name), project, rootOf)
  })
  const image = images.at(-1)
  if (!image) throw new Error('The Dockerfile has no stage.')
  const size = (path: string) =>
    Math.round(Number(execFileSync('du', ['-sb', path]).toString().split('\t')[0]) / MEBIBYTE)
  console.log(
    `Base ${size(from)} MiB, image ${size(image.root)} MiB, of that /app ${size(join(image.root, 'app'))} MiB`,
  )
  return image
}

async function tryService(image: Image): Promise<void> {
  const host = await startFakeHost({ loginOf: (token) => token })
  for (const repository of samples) host.repository({ ...repository, webUrl: host.url })
  const started = performance.now()
  const service = start(image, { PORT, CODE_HOST_API_URL: host.url, CODE_HOST_WEB_URL: host.url, LOG_LEVEL: 'warn' })
  try {
    await untilReady()
    console.log(`Ready after ${Math.round(performance.now() - started)} ms (new embedded database), by ${image.user}`)
    service.run(image.healthCheck)
    console.log('The health check passes.')
    requireReadOnly(service.run)
    console.log('Only /data and /tmp are writable.')
    await writeArticle()
  } finally {
    service.stop()
    await host.close()
  }
}

/** Starts the image's command as its user, in a mount namespace where the root is read-only. */
function start({ root, env, workdir, user, command }: Image, more: Record<string, string>) {
  const mounts = [
    'mount --bind "$0" "$0"',
    'mount -t tmpfs none "$0/mnt"',
    'mkdir "$0/mnt/data" && chown 1000:1000 "$0/mnt/data"',
    'mount --bind "$0/mnt/data" "$0/data"',
    'mount -t tmpfs none "$0/tmp"',
    'mount -t proc none "$0/proc"',
    'mount -o remount,ro,bind "$0"',
  ].join(' && ')
  const inRoot = (inner: string[]) => [
    ...['chroot', `--userspec=${user}`, root],
    ...['sh', '-c', 'cd "$0" && exec "$@"', workdir, ...inner],
  ]
  const all = { PATH, HOME: '/data', ...env, ...more }
  const child = spawn('unshare', ['--mount', 'sh', '-c', `${mounts} && exec "$@"`, root, ...inRoot(command)], {
    env: all,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  return {
    run: (inner: string[]) =>
      execFileSync('nsenter', ['--mount', `--target=${child.pid}`, ...inRoot(inner)], {
        env: all,
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    stop: () => child.kill('SIGTERM'),
  }
}

async function untilReady(): Promise<void> {
  for (const until = performance.now() + START_MS; performance.now() < until; await sleep(50)) {
    const response = await fetch(`${URL_OF_SERVICE}/readyz`).catch(() => undefined)
    if (response?.ok) return
  }
  throw new Error('The service was not ready in time.')
}

function requireReadOnly(run: (command: string[]) => Buffer): void {
  run(['touch', '/data/probe', '/tmp/probe'])
  for (const path of ['/app/probe', '/app/.build/probe', '/usr/probe', '/etc/probe']) {
    let isWritten = true
    try {
      run(['touch', path])
    } catch {
      isWritten = false
    }
    if (isWritten) throw new Error(`${path} could be written.`)
  }
}

async function writeArticle(): Promise<void> {
  const api = createApi(URL_OF_SERVICE, 'reader', AbortSignal.timeout(START_MS))
  await api.send('POST', '/auth/signup')
  const [repository] = samples
  const [pull] = repository?.pulls ?? []
  if (!repository || !pull) throw new Error('There is no sample.')
  const { owner, name: repo } = repository
  const { article } = await press(api, { owner, repo, number: pull.number }, 'ja', () => {})
  console.log(`Article: ${article.contents['ja']?.aiGeneratedTitle}`)
}

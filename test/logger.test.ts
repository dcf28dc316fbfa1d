import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'

const LINES = 3000
const logger = JSON.stringify(new URL('../src/logger.ts', import.meta.url).href)

/** A process that logs more than a pipe holds, and ends at once. */
function logging(ending: string): ChildProcess {
  const program = `
    const { createLogger } = await import(${logger})
    const log = createLogger('info')
    for (let n = 1; n <= ${LINES}; n++) log.info({ n }, 'one of many lines')
    ${ending}`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] })
}

/** What a reader gets who is slow to begin. */
async function linesOf(child: ChildProcess): Promise<number[]> {
  await wait(500)
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
  })
  await once(child, 'close')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).n)
}

const all = Array.from({ length: LINES }, (_, i) => i + 1)

test('a process that comes to its end has logged every line', async () => {
  expect(await linesOf(logging(''))).toEqual(all)
})

test('so has one that is told to exit', async () => {
  expect(await linesOf(logging('process.exit()'))).toEqual(all)
})

test('nobody who has stopped reading keeps a process from ending', async () => {
  const child = logging('setTimeout(() => process.exit(), 300)')
  child.stdout?.destroy()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'

const logger = JSON.stringify(new URL('../../src/logger.ts', import.meta.url).href)

/** Starts a process that logs this many lines of a kilobyte and ends. */
function logging(lines: number, ending = ''): ChildProcess {
  const program = `
    const { createLogger } = await import(${logger})
    const log = createLogger('info')
    for (let n = 1; n <= ${lines}; n++) log.info({ n }, 'long '.repeat(200))
    ${ending}`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** Reads with delays, like a slow consumer. */
async function linesOf(child: ChildProcess): Promise<{ n?: number; dropped?: number }[]> {
  let text = ''
  for await (const chunk of child.stdout?.setEncoding('utf8') ?? []) {
    await wait(text === '' ? 200 : 5)
    text += chunk
    if (text.endsWith('were dropped."}\n')) child.stdin?.end()
  }
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function numbersOf(child: ChildProcess) {
  return (await linesOf(child)).map(({ n }) => n)
}

const upTo = (lines: number) => Array.from({ length: lines }, (_, i) => i + 1)
const few = 10
const moreThanAPipeHolds = 1000
const moreThanIsBuffered = 20_000

test.each([few, moreThanAPipeHolds])('a process that ends has logged all of %i lines', async (lines) => {
  expect(await numbersOf(logging(lines))).toEqual(upTo(lines))
})

test.each([few, moreThanAPipeHolds])('a process that calls exit has logged all of %i lines', async (lines) => {
  expect(await numbersOf(logging(lines, 'process.exit()'))).toEqual(upTo(lines))
})

test('a consumer that stops reading the log does not block the process or its exit', async () => {
  const child = logging(moreThanAPipeHolds, 'setTimeout(() => process.exit(3), 300)')
  const [code] = await once(child, 'exit')
  expect(code).toBe(3)
})

test('a consumer that closes the log stream does not block the process or its exit', async () => {
  const child = logging(moreThanAPipeHolds, 'setTimeout(() => process.exit(3), 300)')
  child.stdout?.destroy()
  const [code] = await once(child, 'exit')
  expect(code).toBe(3)
})

test('buffers a limited amount for a slow consumer and reports dropped lines', async () => {
  const goOn = `process.stdin.resume().once('end', () => log.info({ n: 0 }, 'the output is read again'))`
  const lines = await linesOf(logging(moreThanIsBuffered, goOn))
  const kept = lines.length - 2
  expect(lines.slice(0, kept).map(({ n }) => n)).toEqual(upTo(kept))
  expect(lines[kept]).toMatchObject({ level: 40, dropped: moreThanIsBuffered - kept })
  expect(lines[kept + 1]).toMatchObject({ n: 0 })
})

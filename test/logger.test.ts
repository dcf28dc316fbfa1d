import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'

const logger = JSON.stringify(new URL('../src/logger.ts', import.meta.url).href)

/** A process that logs so many lines of a kilobyte at once, and ends. */
function logging(lines: number, ending = ''): ChildProcess {
  const program = `
    const { createLogger } = await import(${logger})
    const log = createLogger('info')
    for (let n = 1; n <= ${lines}; n++) log.info({ n }, 'long '.repeat(200))
    ${ending}`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['pipe', 'pipe', 'inherit'] })
}

/** What a reader gets who is slow to begin, and slow to go on. */
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
const moreThanIsKept = 20_000

test.each([few, moreThanAPipeHolds])('a process that comes to its end has logged each of %i lines', async (lines) => {
  expect(await numbersOf(logging(lines))).toEqual(upTo(lines))
})

test.each([few, moreThanAPipeHolds])('so has one that is told to exit after %i', async (lines) => {
  expect(await numbersOf(logging(lines, 'process.exit()'))).toEqual(upTo(lines))
})

test('nobody who has stopped reading keeps a process from working, nor from ending', async () => {
  const child = logging(moreThanAPipeHolds, 'setTimeout(() => process.exit(3), 300)')
  const [code] = await once(child, 'exit')
  expect(code).toBe(3)
})

test('nor does one who has gone', async () => {
  const child = logging(moreThanAPipeHolds, 'setTimeout(() => process.exit(3), 300)')
  child.stdout?.destroy()
  const [code] = await once(child, 'exit')
  expect(code).toBe(3)
})

test('a log that nobody reads is kept within bounds, and says what it left out', async () => {
  const goOn = `process.stdin.resume().once('end', () => log.info({ n: 0 }, 'read again'))`
  const lines = await linesOf(logging(moreThanIsKept, goOn))
  const kept = lines.length - 2
  expect(lines.slice(0, kept).map(({ n }) => n)).toEqual(upTo(kept))
  expect(lines[kept]).toMatchObject({ level: 40, dropped: moreThanIsKept - kept })
  expect(lines[kept + 1]).toMatchObject({ n: 0 })
})

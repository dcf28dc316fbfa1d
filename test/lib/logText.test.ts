import { expect, test } from 'vitest'
import { Problem } from '../../src/errors.ts'
import { createLogger, type LogFormat } from '../../src/logger.ts'

function logging(format?: LogFormat) {
  const lines: string[] = []
  const log = createLogger('info', {
    ...(format && { format }),
    destination: { write: (line) => void lines.push(line) },
  })
  return { log, lines }
}

test('writes a line with time, level, message and fields as text', () => {
  const { log, lines } = logging('text')
  log.info({ port: 3000, path: '/read', names: ['a b'], none: null, left: undefined }, 'Ready.')
  log.warn('Overloaded.')
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    'INFO  Ready. port=3000 path=/read names=["a b"] none=null\n',
    'WARN  Overloaded.\n',
  ])
})

test('writes the stack of an error and of its cause below the line, and none for an expected refusal', () => {
  const { log, lines } = logging('text')
  log.error({ err: new TypeError('broken', { cause: new Error('deeper') }) }, 'Failed.')
  const [head, ...stack] = (lines[0] ?? '').trimEnd().split('\n')
  expect(head).toMatch(/ ERROR Failed\.$/)
  expect(stack[0]).toBe('    TypeError: broken')
  expect(stack[1]).toMatch(/^ +at /)
  expect(stack).toContain('    Error: deeper')
  log.warn({ err: new Problem('MODEL_UNAVAILABLE', 'The model is not available.') }, 'Article generation failed.')
  expect(lines[1]).toMatch(/ WARN {2}Article generation failed\.\n {4}Error: The model is not available\.\n$/)
})

test('shows characters that a terminal may obey as escapes', () => {
  const { log, lines } = logging('text')
  const hostile = '\u001b[2J\u009b31m\u202egnorw\r\nnext'
  log.info({ title: hostile, err: new Error(hostile) }, hostile)
  expect(lines.join('')).not.toMatch(/[^\n\P{Cc}]|\p{Cf}/u)
  expect(lines.join('')).toContain('\\u001b[2J')
})

test('writes JSON to anything but a terminal unless told otherwise', () => {
  const { log, lines } = logging()
  log.info({ port: 3000 }, 'Ready.')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 30, port: 3000, msg: 'Ready.' })
})

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
const GENERATED = '../generated/'
/** Each room may import itself and those that stand after it. */
const ROOMS = [
  ...['entry', 'operations', 'web', 'domain', 'runtime', 'db', 'host', 'writer', 'model'],
  ...['contract.ts', 'projectFiles.ts', 'logger.ts', 'lib', 'errors.ts'],
]
const ENTRIES = ['main.ts', 'app.ts', 'cli.ts', 'thread.ts', 'createContext.ts', 'context.ts', 'runtime/diagnose']
/** The same for the folders of a room. */
const FOLDERS: Record<string, string[]> = {
  web: ['server', 'documents', 'feeds', 'mcp', 'pages', 'api'],
  domain: [
    ...[
      'administration',
      'webhooks',
      'mistakes',
      'likes',
      'merges',
      'lists',
      'search',
      'articles',
      'pulls',
      'favorites',
    ],
    ...['repositories', 'accounts'],
  ],
  runtime: ['maintenance', 'threads', 'jobs', 'telemetry', 'config', 'limits'],
}
const IMPORT = /(?:from|import\() ?'(\.[^']+)'/g

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

function roomOf(file: string): string {
  return ENTRIES.some((entry) => file.startsWith(entry)) ? 'entry' : (file.split('/')[0] ?? file)
}

/** The files that a file imports. Types of the context are free. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8').replace(/^import type [^;]*?from '[./]+\/context\.ts'/gm, '')
  return [...text.matchAll(IMPORT)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter((path) => !path.startsWith(GENERATED))
}

/** Imports of what stands before, by the order of rooms or folders. */
function importsUp(order: string[], placeOf: (file: string) => string, among: string[]): string[] {
  return among.flatMap((file) =>
    importsOf(file)
      .filter((path) => placeOf(path) !== '' && order.indexOf(placeOf(path)) < order.indexOf(placeOf(file)))
      .map((path) => `${file} imports ${path}`),
  )
}

test('every room is listed, and imports none that stands before it', () => {
  expect(files.map(roomOf).filter((room) => !ROOMS.includes(room))).toEqual([])
  expect(importsUp(ROOMS, roomOf, files)).toEqual([])
})

test.each(Object.entries(FOLDERS))('the folders of %s import none that stands before them', (room, order) => {
  const inside = files.filter((file) => roomOf(file) === room)
  const folderOf = (file: string) => (roomOf(file) === room ? (file.split('/')[1] ?? '') : '')
  expect(inside.map(folderOf).filter((folder) => !order.includes(folder))).toEqual([])
  expect(importsUp(order, folderOf, inside)).toEqual([])
})

test('createContext.ts alone knows every room: only entry points import it', () => {
  const importing = files.filter((file) => importsOf(file).includes('createContext.ts'))
  expect(importing.map(roomOf)).toEqual(importing.map(() => 'entry'))
})

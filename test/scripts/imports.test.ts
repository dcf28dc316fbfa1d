import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url))
const GENERATED = '../generated/'
/** Rooms are the top-level parts of src. Each may import itself and the rooms after it in this list. */
const ROOMS = [
  ...['entry', 'operations', 'web', 'domain', 'runtime', 'db', 'host', 'writer', 'model'],
  ...['contract.ts', 'projectFiles.ts', 'logger.ts', 'lib', 'errors.ts'],
]
const ENTRIES = ['main.ts', 'app.ts', 'cli.ts', 'thread.ts', 'createContext.ts', 'context.ts', 'runtime/diagnose']
/** The folders of a room: each may import itself and the folders after it in the list. */
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

/** The files that a file imports. Every file may import types of the context, so these do not count. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SOURCE, file), 'utf8').replace(/^import type [^;]*?from '[./]+\/context\.ts'/gm, '')
  return [...text.matchAll(IMPORT)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter((path) => !path.startsWith(GENERATED))
}

/** Finds imports of a room or folder that stands earlier in the order than that of the importing file. */
function importsUp(order: string[], placeOf: (file: string) => string, among: string[]): string[] {
  return among.flatMap((file) =>
    importsOf(file)
      .filter((path) => placeOf(path) !== '' && order.indexOf(placeOf(path)) < order.indexOf(placeOf(file)))
      .map((path) => `${file} imports ${path}`),
  )
}

test('every room is listed, and imports no room that stands before it in the list', () => {
  expect(files.map(roomOf).filter((room) => !ROOMS.includes(room))).toEqual([])
  expect(importsUp(ROOMS, roomOf, files)).toEqual([])
})

test.each(Object.entries(FOLDERS))('the folders of %s import no folder before them in the list', (room, order) => {
  const inside = files.filter((file) => roomOf(file) === room)
  const folderOf = (file: string) => (roomOf(file) === room ? (file.split('/')[1] ?? '') : '')
  expect(inside.map(folderOf).filter((folder) => !order.includes(folder))).toEqual([])
  expect(importsUp(order, folderOf, inside)).toEqual([])
})

test('only entry points import createContext.ts, which may import every room', () => {
  const importing = files.filter((file) => importsOf(file).includes('createContext.ts'))
  expect(importing.map(roomOf)).toEqual(importing.map(() => 'entry'))
})

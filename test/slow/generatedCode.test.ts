import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { aPull } from '../support/articles.ts'
import { expectShortTurns } from '../support/longestTurn.ts'
import { changed, pullsOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { ingested } = pullsOf(service)
const token = await service.signedUp('hanako')
const { host } = service

/** A pull request that is large enough for the service to read the attributes file. */
function largePull(attributes: string, paths: string[] = ['src/made.ts'], body = '') {
  const files = paths.map((path) => changed(path, { additions: 2500 }))
  return aPull(service, { files, body }, { contents: { '.gitattributes': attributes }, issues: [{ number: 2 }] })
}

interface Listed {
  path: string
  generated: boolean
}

async function generatedIn(place: string): Promise<string[]> {
  const { files } = await ingested(place, token)
  return files.filter(({ generated }: Listed) => generated).map(({ path }: Listed) => path)
}

test('.gitattributes patterns that are slow to match do not block the event loop', async () => {
  const attributes = `*${'a'.repeat(198)}b linguist-generated\n`.repeat(99)
  const paths = Array.from({ length: 120 }, (_, i) => 'a'.repeat(4080 - i))
  await expectShortTurns(150, async () => {
    const place = largePull(`made.ts linguist-generated\n${attributes}`, ['made.ts', ...paths])
    // The first path is matched before the limit of matching steps is reached.
    expect(await generatedIn(place)).toEqual(['made.ts'])
  })
})

test('3,000 usual paths are all matched against 100 rules of .gitattributes', async () => {
  const rules = Array.from({ length: 100 }, (_, i) => `packages/p${i}/src/**/*.gen.ts linguist-generated`)
  const paths = Array.from({ length: 3000 }, (_, i) => `packages/p${i % 100}/src/module/deep/file-${i}.gen.ts`)
  expect(await generatedIn(largePull(rules.join('\n'), paths))).toHaveLength(3000)
})

test('reads only the beginning of a long .gitattributes file', async () => {
  const attributes = `a.ts linguist-generated\n${'# はい\n'.repeat(12_000)}b.ts linguist-generated`
  expect(await generatedIn(largePull(attributes, ['a.ts', 'b.ts']))).toEqual(['a.ts'])
})

test.each([
  ['fail', faults.status(500)],
  ['hang', faults.hang],
])('reads a pull request even if the requests for its .gitattributes file and its issue %s', async (_, act) => {
  const place = largePull('*made.ts linguist-generated', ['src/made.ts'], 'Fixes #2')
  host.fail({ path: /\/contents\//, times: 9, act })
  host.fail({ path: /\/issues\/2$/, times: 9, act })
  const started = performance.now()
  expect(await generatedIn(place)).toEqual([])
  expect(performance.now() - started).toBeLessThan(8000)
})

import { afterAll, afterEach, expect, test } from 'vitest'
import { faults } from '../../scripts/fakeHost/faults.ts'
import { aPull } from '../support/articles.ts'
import { changed, pullsOf } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
afterEach(() => service.host.heal())

const { ingested } = pullsOf(service)
const token = await service.signedUp('hanako')
const { host } = service

/** A pull request that is large enough for its attributes to be read. */
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

test('reads the beginning of a long attributes file', async () => {
  const attributes = `a.ts linguist-generated\n${'# はい\n'.repeat(12_000)}b.ts linguist-generated`
  expect(await generatedIn(largePull(attributes, ['a.ts', 'b.ts']))).toEqual(['a.ts'])
})

test.each([
  ['fails', faults.status(500)],
  ['hangs', faults.hang],
])('reads a pull request and its issues if the request for the attributes %s', async (_, act) => {
  const place = largePull('*made.ts linguist-generated', ['src/made.ts'], 'Fixes #2')
  host.fail({ path: /\/contents\//, times: 9, act })
  host.fail({ path: /\/issues\/2$/, times: 9, act })
  const started = performance.now()
  expect(await generatedIn(place)).toEqual([])
  expect(performance.now() - started).toBeLessThan(8000)
})

import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, test } from 'vitest'
import { parse } from 'yaml'
import { samples } from '../../scripts/demo/samples.ts'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { variables } from '../../src/runtime/config/variables.ts'
import { createClient } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { copyInto, lastCopies } from '../support/dockerfile.ts'
import { startFakeModel } from '../support/fakeModel.ts'
import { startProcess } from '../support/process.ts'

const project = fileURLToPath(new URL('../../', import.meta.url))
const text = (path: string) => readFile(join(project, path), 'utf8')
/** Variables that Node reads, not the service. */
const NODE_VARIABLES = ['NODE_ENV']

const root = await mkdtemp(join(tmpdir(), 'pullpress-image-'))
const host = await startFakeHost()
const model = await startFakeModel()
const database = await createTestDatabase(inject('template'))
afterAll(async () => {
  await database.drop()
  await host.close()
  await model.close()
  await rm(root, { recursive: true })
})

test('the service runs with only the files that the image has', async () => {
  for (const copy of lastCopies(await text('Dockerfile'))) {
    // The build stage only adds the bundle, which the tests have built in the project, and an empty folder for data.
    const sources = copy.sources.map((source) => (copy.from ? source.replace('/app/', '') : source))
    if (copy.target !== '/data') await copyInto(root, project, { ...copy, sources })
  }
  const [sample] = samples
  if (!sample?.pulls[0]) throw new Error('There is no sample.')
  host.repository({ ...sample, webUrl: host.url })
  const env = { ...database.env, ...model.env, CODE_HOST_API_URL: host.url }
  const server = await startProcess(env, { main: join(root, '.build/main.js') })
  const client = createClient(server.url)
  const token = host.token('hanako')
  expect((await client.call('signUp', { token })).status).toBe(201)
  const params = { owner: sample.owner, repo: sample.name, number: String(sample.pulls[0].number) }
  model.addFigures()
  const written = await client.call('generateArticle', { token, params, body: { language: 'en' } })
  expect(written.status).toBe(200)
  const article = await fetch(`${server.url}/read/articles/${written.body.data.id}?language=en`)
  // Keywords have this class only if the worker thread could load the grammar of the language.
  expect(await article.text()).toContain('class="t-k"')
  for (const path of ['/read', '/openapi.yaml', '/openapi.json', '/docs/', '/docs/static/swagger-ui.css'])
    expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200])
  const page = await (await fetch(`${server.url}/read`)).text()
  for (const [, asset = ''] of page.matchAll(/"(\/read\/assets\/[^"]+)"/g))
    expect([asset, (await fetch(server.url + asset)).status]).toEqual([asset, 200])
  expect(await server.kill('SIGTERM')).toBe(0)
})

test('deployment files set only variables that the service reads', async () => {
  const compose = parse(await text('compose.yaml'))
  const unit = await text('scripts/deploy/pullpress.service')
  const names = [
    ...Object.keys(compose.services.pullpress.environment),
    ...(await text('Dockerfile')).matchAll(/^ENV (.*)$/gm).flatMap(([, line = '']) => line.match(/\w+(?==)/g) ?? []),
    ...unit.matchAll(/^Environment=(\w+)=/gm).map(([, name = '']) => name),
  ]
  expect(names.filter((name) => !(name in variables) && !NODE_VARIABLES.includes(name))).toEqual([])
  expect(names).toContain('DATA_DIR')
})

test('the guide explains the variables that it has operators write, and the unit runs the Node that npm ci installs', async () => {
  const guide = await text('scripts/deploy/README.md')
  const [, written = ''] = /cat > \.env <<EOF\n(.*?)EOF/s.exec(guide) ?? []
  const [, table = ''] = /\| variable \| without it \|\n(.*?)\n\n/s.exec(guide) ?? []
  const names = [...written.matchAll(/^ *(\w+)=/gm)].map(([, name]) => name)
  expect([...table.matchAll(/^ *\| `(\w+)`/gm)].map(([, name]) => name)).toEqual(names)
  expect([guide.includes('These seven variables matter'), names.length]).toEqual([true, 7])
  const [, node = ''] = /^ExecStart=\/opt\/pullpress\/(\S+)/m.exec(await text('scripts/deploy/pullpress.service')) ?? []
  expect(existsSync(join(project, node))).toBe(true)
})

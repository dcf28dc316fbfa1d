import { afterAll, expect, test } from 'vitest'
import { contract } from '../../../src/contract.ts'
import { withoutOptionalExamples } from '../../../src/web/documents/swaggerUi.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())

const text = async (path: string) => (await fetch(service.url + path)).text()

test('Swagger UI fills in no optional parameter, and asks before it logs a token out', async () => {
  const { paths, components } = JSON.parse(await text('/docs/json'))
  const inline = Object.values<Record<string, { parameters?: object[] }>>(paths).flatMap((item) =>
    Object.values(item).flatMap(({ parameters = [] }) => parameters),
  )
  const parameters = [...inline, ...Object.values<object>(components.parameters)] as Record<string, unknown>[]
  const named = (isFilled: boolean) =>
    parameters.filter((one) => one['in'] && 'examples' in one === isFilled).map(({ name }) => name)
  expect(named(true).toSorted()).toEqual(
    expect.arrayContaining(['articleId', 'langCode', 'number', 'owner', 'q', 'repo', 'sessionId']),
  )
  for (const name of ['cursor', 'If-None-Match', 'mergedSince', 'status', 'limit']) {
    expect(named(true)).not.toContain(name)
    expect(named(false)).toContain(name)
  }
  const script = await text('/docs/static/swagger-initializer.js')
  expect(script).toContain('until the operator accepts it again')
  const ask = new Function('globalThis', `return ${/function confirmLogOut\(.*?\n}/s.exec(script)?.[0]}`)
  const asked: string[] = []
  const answering = (answer: boolean) => ask({ confirm: (question: string) => asked.push(question) > 0 && answer })
  const logOut = { url: `${service.url}/auth/logout` }
  expect(() => answering(false)(logOut)).toThrow('Not sent.')
  expect(answering(true)(logOut)).toBe(logOut)
  expect(answering(false)({ url: `${service.url}/articles` })).toEqual({ url: `${service.url}/articles` })
  expect(asked).toHaveLength(2)
})

test('the examples of bodies and responses stay', () => {
  const { paths } = withoutOptionalExamples(contract) as typeof contract
  const operation = paths['/articles']?.['get'] as unknown as { responses: Record<string, object> }
  expect(JSON.stringify(operation.responses['200'])).toContain('"examples"')
})

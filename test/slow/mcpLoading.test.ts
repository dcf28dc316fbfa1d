import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Prints whether the MCP package is loaded: after the modules of the app, and after those of the first MCP request. */
const PROGRAM = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
const hasPackage = () => loaded.some((url) => url.includes('/@modelcontextprotocol/'))
await import('./src/app.ts')
const isEarly = hasPackage()
await import('./src/web/mcp/exchange.ts')
console.log(JSON.stringify([isEarly, hasPackage()]))
`

test('the MCP package is loaded with the first MCP request, not at start', async () => {
  const cwd = new URL('../../', import.meta.url)
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM], { cwd })
  expect(JSON.parse(stdout)).toEqual([false, true])
})

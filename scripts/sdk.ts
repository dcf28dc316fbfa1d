import { appendFile, copyFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'

const [argument] = process.argv.slice(2)
if (!argument) fail('Usage: npm run sdk -- <folder>')
const folder = resolve(process.env['INIT_CWD'] ?? '.', argument)

// The generator empties the folder, so it must not hold other files.
const present = await readdir(folder).catch((): string[] => [])
if (present.length > 0 && !present.includes('sdk.gen.ts')) fail(`${folder} holds other files. Use an empty folder.`)

await createClient({
  input: fileURLToPath(new URL('../openapi.yaml', import.meta.url)),
  output: folder,
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
})
await copyFile(new URL('sdk/followArticleJob.ts', import.meta.url), join(folder, 'followArticleJob.ts'))
await appendFile(join(folder, 'index.ts'), "export { followArticleJob } from './followArticleJob.js';\n")
console.log(`Client written to ${folder}`)

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

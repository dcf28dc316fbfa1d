import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@hey-api/openapi-ts'

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error('Usage: npm run sdk -- <folder>')
  process.exit(1)
}

await createClient({
  input: fileURLToPath(new URL('../openapi.yaml', import.meta.url)),
  output: resolve(process.env['INIT_CWD'] ?? '.', folder),
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
})
console.log(`Client written to ${folder}`)

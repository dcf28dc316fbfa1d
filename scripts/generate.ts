import { readFile, writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { parse } from 'yaml'
import { configurationExample, configurationTable, MAIN_GROUPS, TUNING } from './generate/configuration.ts'
import { operationTable } from './generate/operations.ts'
import { routesOf } from './generate/routes.ts'

const MARK = '// Generated from openapi.yaml by `npm run generate`. Do not edit.\n\n'
const root = new URL('../', import.meta.url)
const checkOnly = process.argv.includes('--check')

const contractText = await readFile(new URL('openapi.yaml', root), 'utf8')
const contract = parse(contractText)
const readme = await readFile(new URL('README.md', root), 'utf8')
const tuningReadme = await readFile(new URL('src/runtime/config/README.md', root), 'utf8')
const files: Record<string, string> = {
  'generated/api.ts': MARK + astToString(await openapiTS(contractText, { defaultNonNullable: false })),
  'generated/operations.ts': MARK + operationTable(contract),
  'generated/contract.json': `${JSON.stringify(contract)}\n`,
  'generated/routes.json': `${JSON.stringify(routesOf(contract))}\n`,
  'generated/reader.js': scriptOf(await readFile(new URL('src/web/pages/assets/reader.ts', root), 'utf8')),
  '.env.example': configurationExample(),
  'README.md': withTable(readme, configurationTable(MAIN_GROUPS)),
  'src/runtime/config/README.md': withTable(tuningReadme, configurationTable(TUNING)),
}

function withTable(text: string, table: string): string {
  return text.replace(
    /(<!-- configuration -->\n)[\s\S]*(<!-- \/configuration -->)/,
    (_, open: string, close: string) => `${open}${table}\n${close}`,
  )
}

/** Compiles the script of the pages to JavaScript, because browsers cannot run TypeScript. */
function scriptOf(text: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: true }
  const { outputText } = ts.transpileModule(text, { compilerOptions })
  return `// Generated from src/web/pages/assets/reader.ts by \`npm run generate\`. Do not edit.\n${outputText}`
}

const stale: string[] = []
for (const [name, text] of Object.entries(files)) {
  const url = new URL(name, root)
  const current = await readFile(url, 'utf8').catch(() => '')
  if (current === text) continue
  stale.push(name)
  if (!checkOnly) await writeFile(url, text)
}

if (stale.length === 0) console.log('Generated files are up to date.')
else if (!checkOnly) console.log(`Written: ${stale.join(', ')}`)
else {
  console.error(`Generated files are not up to date: ${stale.join(', ')}. Run \`npm run generate\`.`)
  process.exitCode = 1
}

import { readdirSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Checks workflows with the language service of GitHub Actions: schema, expressions and their contexts. */
const [folder = '.github/workflows'] = process.argv.slice(2)

// Node imports JSON only with an import attribute, which the language service omits because bundlers do not need it.
registerHooks({
  load: (url, context, load) =>
    load(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { validate } = await import('@actions/languageservice')
const { TextDocument } = await import('vscode-languageserver-textdocument')

const names = readdirSync(folder).filter((name) => /\.ya?ml$/.test(name))
for (const name of names) {
  const path = join(folder, name)
  const text = readFileSync(path, 'utf8')
  for (const { range, message } of await validate(TextDocument.create(`${pathToFileURL(path)}`, 'yaml', 1, text))) {
    console.error(`${path}:${range.start.line + 1} ${message}`)
    process.exitCode = 1
  }
}
console.log(`Checked ${names.length} workflows.`)

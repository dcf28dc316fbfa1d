import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ScriptError } from '../demo/scriptError.ts'
import type { Place } from '../demo/writeArticle.ts'
import { articleMarkdown, type Content } from './articleMarkdown.ts'
import type { MaskedPull } from './maskedPull.ts'
import type { Metrics } from './measure.ts'

/** The contents of `<name>.json`. */
export interface ArticleResult {
  pullRequest: string
  address: string
  language: string
  metrics: Metrics
  content: Content
}

/** An article to compare. Articles from elsewhere are Markdown only. */
export interface RunText {
  name: string
  markdown: string
  result: ArticleResult | undefined
  pull: MaskedPull | undefined
}

/** Creates the folder of a run. Throws if it is not empty, so that two runs are never mixed. */
export async function createRunFolder(out: string | undefined): Promise<string> {
  const folder = out ?? unusedName(`eval-${new Date().toISOString().slice(0, 10)}`)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new ScriptError(`The folder is not empty (--out): ${folder}`)
  return folder
}

function unusedName(name: string): string {
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`
    if (!existsSync(candidate)) return candidate
  }
}

export async function writeJson(folder: string, name: string, value: object): Promise<void> {
  await writeFile(join(folder, name), `${JSON.stringify(value, null, 2)}\n`)
}

export async function writeResult(
  folder: string,
  { owner, repo, number }: Place,
  result: ArticleResult,
  pull: MaskedPull,
): Promise<void> {
  // The name is the same in every run, so that runs can be compared.
  const name = `${owner}_${repo}_${number}`
  await writeJson(folder, `${name}.json`, result)
  await writeJson(folder, `${name}.pull.json`, pull)
  await writeFile(join(folder, `${name}.md`), articleMarkdown(result.content, result.language))
}

export async function readRun(folder: string): Promise<RunText[]> {
  const files = await readdir(folder).catch(() => {
    throw new ScriptError(`There is no folder ${folder}.`)
  })
  const names = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -'.md'.length))
  if (names.length === 0) throw new ScriptError(`There are no articles (*.md) in ${folder}.`)
  return Promise.all(
    names.map(async (name) => {
      const result = await readJson<ArticleResult>(folder, `${name}.json`)
      return {
        name,
        result,
        // Rendered again, so that a change of the renderer does not affect a comparison.
        markdown: result
          ? articleMarkdown(result.content, result.language)
          : await readFile(join(folder, `${name}.md`), 'utf8'),
        pull: await readJson<MaskedPull>(folder, `${name}.pull.json`),
      }
    }),
  )
}

async function readJson<T>(folder: string, name: string): Promise<T | undefined> {
  const path = join(folder, name)
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as T) : undefined
}

import { askForArticle } from './askForArticle.ts'
import { listRepositories } from './listRepositories.ts'
import { readArticle } from './readArticle.ts'
import { searchArticles } from './searchArticles.ts'
import type { Tool } from './tool.ts'
import { whatChanged } from './whatChanged.ts'

/** A tool whose input is not validated yet. */
export type AnyTool = Tool<Record<string, unknown>>

export const tools = [whatChanged, readArticle, searchArticles, listRepositories, askForArticle] as unknown as AnyTool[]

export function toolNamed(name: unknown): AnyTool | undefined {
  return tools.find((tool) => tool.name === name)
}

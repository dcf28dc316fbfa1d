import { highlighter } from '../../src/writer/render/highlight.ts'

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' }

/** The text of a line without markup. */
export const textOf = (line: unknown) =>
  String(line)
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|#39|amp);/g, (_, name) => ENTITIES[name] ?? '')

/** The text of a highlighted line, with each span as class and text, such as `k[const]`. */
export const shown = (line: unknown) =>
  textOf(String(line).replace(/<span class="t-(.)">(.*?)( *)<\/span>/g, '$1[$2]$3'))

export const highlighted = async (lines: string[], path: string) => (await highlighter())(lines, path)
export const shownLine = async (line: string, path: string) => shown((await highlighted([line], path))[0])

import { parseArgs } from 'node:util'
import { ScriptError } from '../demo/scriptError.ts'

export interface Options {
  /** Pull requests to write about; the samples of the demo if there are none. */
  addresses: string[]
  language: string
  /** The folder for the results. */
  out: string | undefined
  /** The folder of an earlier run to compare with. */
  against: string | undefined
  /** The folder of a run to judge instead of writing a new one. */
  judge: string | undefined
  atOnce: number
}

export const USAGE = `Usage: npm run eval -- [address …] [--language ja] [--out DIR] [--at-once 2] [--against DIR] [--judge DIR]

Writes articles about pull requests with the configured model and measures them.

  address     such as https://github.com/owner/repo/pull/12 or owner/repo#12; default: the samples of the demo
  --language  the language of the articles; default: ja
  --out       the folder for the results; default: eval-<date>
  --at-once   how many articles to write or judge at the same time; default: 2
  --against   the folder of an earlier run: the model compares its articles with the new ones
  --judge     with --against: compare this run instead of writing a new one`

const MAX_AT_ONCE = 16

/** Undefined if help was requested. */
export function readOptions(args: string[]): Options | undefined {
  const { values, positionals } = parsed(args)
  const { language, out, against, judge, 'at-once': atOnce, help } = values
  if (help) return undefined
  if (!/^[a-z]{2}$/.test(language)) throw new ScriptError('--language takes two letters, such as en.')
  if (!/^\d{1,2}$/.test(atOnce) || Number(atOnce) < 1 || Number(atOnce) > MAX_AT_ONCE)
    throw new ScriptError(`--at-once takes a number from 1 to ${MAX_AT_ONCE}.`)
  if (judge !== undefined && against === undefined) throw new ScriptError('--judge requires --against.')
  if (judge !== undefined && (out !== undefined || positionals.length > 0))
    throw new ScriptError('--judge writes no articles: it takes no addresses and no --out.')
  return { addresses: positionals, language, out, against, judge, atOnce: Number(atOnce) }
}

function parsed(args: string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        language: { type: 'string', default: 'ja' },
        'at-once': { type: 'string', default: '2' },
        out: text,
        against: text,
        judge: text,
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new ScriptError(`${(error as Error).message}\n${USAGE}`)
  }
}

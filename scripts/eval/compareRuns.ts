import pLimit from 'p-limit'
import { createModel } from '../../src/model/model.ts'
import type { ModelConfig } from '../../src/runtime/config/config.ts'
import { languageName } from '../../src/writer/proof/languages.ts'
import { lineOf, ScriptError } from '../demo/scriptError.ts'
import { createJudge, type Judge } from './askJudge.ts'
import { evidenceOf } from './measure.ts'
import { type RunText, readRun, writeJson } from './runFolder.ts'
import { percent, printVerdicts } from './tables.ts'
import { falseClaimsIn, type PairVerdict, pairVerdict, tallyOf } from './tally.ts'

interface Runs {
  newer: string
  older: string
  model: ModelConfig
  atOnce: number
  signal: AbortSignal
}

interface Pair {
  name: string
  newer: RunText
  older: RunText
}

const NO_WATCHING = { answered() {}, failed() {} }
/** The share of pull requests for which the new text must be preferred before a changed prompt is merged. */
const REQUIRED_PREFERENCE = 0.8

/** Judges every pull request that both runs have, in both orders. Returns the number of pairs without a verdict. */
export async function compareRuns({ newer, older, model, atOnce, signal }: Runs): Promise<number> {
  const pairs = pairsOf(await readRun(newer), await readRun(older))
  if (pairs.length === 0) throw new ScriptError(`${newer} and ${older} have no pull request in common.`)
  console.log(`\nAsking ${model.names[0]} to compare ${pairs.length} articles with those in ${older}…`)
  const { ask, close } = createModel(model, NO_WATCHING)
  const { judged, failed } = await judgeAll(pairs, createJudge(ask, model, signal), atOnce, signal).finally(close)

  const tally = tallyOf(judged)
  const falseClaims = { new: falseClaimsIn('new', judged), old: falseClaimsIn('old', judged) }
  await writeJson(newer, 'verdicts.json', {
    judged: new Date().toISOString(),
    judge: model.names[0],
    against: older,
    tally,
    falseClaims,
    pairs: judged,
    failed,
  })
  if (judged.length === 0) return failed.length
  printVerdicts(judged, tally)
  const { preference, verdictsForNew } = tally.overall
  console.log(`
The new text is preferred in ${percent(preference)} of the pairs (required: ${percent(REQUIRED_PREFERENCE)}), and by ${verdictsForNew} of ${2 * judged.length} verdicts.
False claims that the judge names in either order: ${falseClaims.new.length} new, ${falseClaims.old.length} old; see verdicts.json.`)
  return failed.length
}

function pairsOf(newer: RunText[], older: RunText[]): Pair[] {
  return newer.flatMap((text) => {
    const other = older.find(({ name }) => name === text.name)
    if (!other) return []
    const name = text.result?.pullRequest ?? text.name
    const languages = [text, other].flatMap(({ result }) => result?.language ?? [])
    if (new Set(languages).size > 1) throw new ScriptError(`The texts about ${name} are in different languages.`)
    return [{ name, newer: text, older: other }]
  })
}

async function judgeAll(pairs: Pair[], judge: Judge, atOnce: number, signal: AbortSignal) {
  const judged: PairVerdict[] = []
  const failed: { pullRequest: string; error: string }[] = []
  await pLimit(atOnce).map(pairs, async (pair) => {
    try {
      judged.push(await judgePair(pair, judge))
      console.log(`${pair.name}: judged`)
    } catch (error) {
      signal.throwIfAborted()
      failed.push({ pullRequest: pair.name, error: lineOf(error) })
      console.log(`${pair.name}: ${lineOf(error)}`)
    }
  })
  return { judged: judged.toSorted((a, b) => a.pullRequest.localeCompare(b.pullRequest)), failed }
}

async function judgePair({ name, newer, older }: Pair, judge: Judge) {
  const pull = newer.pull ?? older.pull
  if (!pull) throw new ScriptError('Neither run has the diff (*.pull.json).')
  const language = languageName(newer.result?.language ?? older.result?.language ?? 'ja')
  const cited = [newer, older].flatMap(({ result }) => (result ? evidenceOf(result.content) : []))
  const shared = { pull, language, citedPaths: new Set(cited.map(({ path }) => path)) }
  const newAsA = await judge({ ...shared, a: newer.markdown, b: older.markdown })
  const newAsB = await judge({ ...shared, a: older.markdown, b: newer.markdown })
  return pairVerdict(name, newAsA, newAsB)
}

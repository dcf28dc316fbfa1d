import { Problem } from '../../errors.ts'

const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The name of a language in English and in itself, such as `Japanese (日本語)`. */
export function languageName(code: string): string {
  const name = english.of(code)
  if (!name || name === 'root')
    throw new Problem('VALIDATION_ERROR', `There is no language with the code ${code}: name another.`)
  const own = new Intl.DisplayNames(code, { type: 'language' }).of(code)
  return own && own !== name ? `${name} (${own})` : name
}

type Detector = typeof import('eld/extrasmall')['eld']

let detecting: Promise<Detector> | undefined

/** Loaded when first needed: its tables are large. */
function detector(): Promise<Detector> {
  detecting ??= import('eld/extrasmall').then(({ eld }) => eld)
  return detecting
}

/** Too little to tell a language by. */
const FEWEST_BYTES = 60
/** Languages that are easily taken for each other: to be one of them is near enough. */
const ALIKE = [
  ['no', 'nb', 'nn', 'da', 'sv'],
  ['id', 'ms'],
  ['hr', 'sr', 'bs', 'sl'],
  ['cs', 'sk'],
  ['pt', 'gl', 'es'],
  ['ru', 'uk', 'be', 'bg', 'mk'],
  ['hi', 'mr', 'ne'],
  ['fa', 'ur', 'ar', 'ps'],
  ['af', 'nl'],
  ['az', 'tr'],
]

/** The language a text is written in instead of the wanted one; undefined where it may well be that. */
export async function otherLanguageOf(text: string, wanted: string): Promise<string | undefined> {
  const prose = proseOf(text)
  if (Buffer.byteLength(prose) < FEWEST_BYTES) return undefined
  if (wanted === 'ja' && hasKana(prose)) return undefined
  const eld = await detector()
  const found = eld.detect(prose)
  if (!found.isReliable() || found.language === wanted) return undefined
  if (ALIKE.some((family) => family.includes(wanted) && family.includes(found.language))) return undefined
  // Of a language it does not know the detector can only tell that a text is plainly in a great one.
  const known = Object.values(eld.info().Languages).includes(wanted)
  if (!known && !['en', 'ja', 'zh'].includes(found.language)) return undefined
  return found.language
}

/** Names in Latin letters do not make a Japanese text one of another language. */
function hasKana(prose: string): boolean {
  const kana = prose.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  return kana * 5 >= prose.length
}

/** What is left of a text without code, paths, addresses and names that are the same in every language. */
function proseOf(text: string): string {
  return (
    text
      .replace(/`+[^`]*`+/g, ' ')
      .replace(/https?:\/\/\S+/g, ' ')
      // From the beginning of a run to its last joint. The lookbehind keeps it linear for runs without one.
      .replace(/(?<![\w@$./:#()\\-])[\w@$./:#()\\-]*[./_:#()\\][\w-]*/g, ' ')
      .replace(/\b\w*(?:[a-z][A-Z]|[A-Z]{2}|\d)\w*\b/g, ' ')
      .replace(/[^\p{L}\s]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

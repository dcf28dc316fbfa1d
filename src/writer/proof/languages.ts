import { Problem } from '../../errors.ts'
import { loadOnce } from '../../lib/loadOnce.ts'

const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

/** The name of a language in English and in itself, such as `Japanese (日本語)`. */
export function languageName(code: string): string {
  const name = english.of(code)
  if (!name || name === 'root') throw new Problem('VALIDATION_ERROR', `Unknown language code: ${code}.`)
  const own = new Intl.DisplayNames(code, { type: 'language' }).of(code)
  return own && own !== name ? `${name} (${own})` : name
}

type Detector = typeof import('eld/extrasmall')['eld']

/** Loaded on first use, because its tables are large. */
const detector = loadOnce<Detector>(async () => (await import('eld/extrasmall')).eld)

/** The language of a text with fewer bytes cannot be detected. */
const MIN_BYTES = 60
/** Languages that the detector confuses: any of the group counts as a match. */
const SIMILAR = [
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

/** The language of a text if it is clearly not the wanted one; otherwise undefined. */
export async function otherLanguageOf(text: string, wanted: string): Promise<string | undefined> {
  const prose = proseOf(text)
  if (Buffer.byteLength(prose) < MIN_BYTES) return undefined
  if (wanted === 'ja' && hasKana(prose)) return undefined
  const eld = await detector()
  const verdict = eld.detect(prose)
  if (!verdict.isReliable() || verdict.language === wanted) return undefined
  if (SIMILAR.some((group) => group.includes(wanted) && group.includes(verdict.language))) return undefined
  // If the detector does not know the wanted language, trust only its verdict for a major one.
  const isSupported = Object.values(eld.info().Languages).includes(wanted)
  if (!isSupported && !['en', 'ja', 'zh'].includes(verdict.language)) return undefined
  return verdict.language
}

/**
 * Whether at least a fifth of a text is kana. Such a text is Japanese, even if many names in Latin letters would
 * mislead the detector.
 */
function hasKana(prose: string): boolean {
  const kana = prose.match(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu)?.length ?? 0
  return kana * 5 >= prose.length
}

/** Removes code, paths, URLs and identifiers, which are the same in every language. */
function proseOf(text: string): string {
  return (
    text
      .replace(/`+[^`]*`+/g, ' ')
      .replace(/https?:\/\/\S+/g, ' ')
      // Matches from the start of a run of such characters to its last separator. The lookbehind keeps the time linear
      // for runs without a separator.
      .replace(/(?<![\w@$./:#()\\-])[\w@$./:#()\\-]*[./_:#()\\][\w-]*/g, ' ')
      .replace(/\b\w*(?:[a-z][A-Z]|[A-Z]{2}|\d)\w*\b/g, ' ')
      .replace(/[^\p{L}\s]/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

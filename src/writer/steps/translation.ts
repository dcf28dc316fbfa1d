import type { LinkedDraft } from '../content.ts'
import { MAX_CHARACTERS, type TextField } from '../contractLimits.ts'
import { mapTexts, textsOf } from '../mapTexts.ts'
import { type GivenAnswer, parseAnswer } from '../parseAnswer.ts'
import { translationSchema } from '../prompts/answerSchemas.ts'
import type { Translation } from '../prompts/answerTypes.ts'
import { lengthsFor } from '../prompts/lengths.ts'
import { measured, translationPrompt } from '../prompts/prompts.ts'
import { cleanProse, cleanText } from '../proof/checkMarkdown.ts'
import { formErrors, languageErrors, textErrors } from '../proof/checkText.ts'
import { languageName } from '../proof/languages.ts'
import { tokenCounter } from '../reading/tokens.ts'
import { type Judged, repairOf } from '../repair.ts'

/** Tokens reserved to quote the first answer if it needs a correction. */
const TRANSLATION_RESERVE = 8000
/** Texts that are shown as plain text: in an SVG, a headline or a list of words. */
const PLAIN: TextField[] = ['title', 'nodeLabel', 'edgeLabel', 'term']

interface Input {
  article: LinkedDraft
  language: string
}

/** The prompt to translate a verified article; undefined if it does not fit one call. */
export async function prepareTranslation({ article, language, tokensPerCall }: Input & { tokensPerCall: number }) {
  const count = await tokenCounter()
  const texts = textsOf(article)
  const prompt = translationPrompt(texts, { language, languageName: languageName(language) })
  const schema = translationSchema(texts.map(([key]) => key))
  const reserve = Math.min(TRANSLATION_RESERVE, Math.floor(tokensPerCall / 4))
  const { messages, tokens } = measured(prompt, count)
  const size = tokens + count(JSON.stringify(schema)) + reserve
  return size <= tokensPerCall ? { prompt: { messages, tokens }, schema, reserve } : undefined
}

interface Question extends Input {
  answer: GivenAnswer
  reserve: number
  hostPrUrl: string
  instructions: string
}

/** Puts the translated texts into the article. Code, citations and quotes stay unchanged. */
export async function judgeTranslation(question: Question): Promise<Judged<LinkedDraft>> {
  const { article, answer, reserve, language, hostPrUrl, instructions } = question
  const originals = textsOf(article)
  const schema = translationSchema(originals.map(([key]) => key))
  const correction = { items: [], reserve, count: await tokenCounter() }
  const parsed = parseAnswer<Translation>(answer, schema)
  if (!parsed.value) {
    const { errors, reason, isMisfit } = parsed
    return { errors, usable: null, reason, isMisfit, repair: repairOf(answer, { ...correction, errors }) }
  }
  const { value } = parsed
  const translated = mapTexts(article, (key, _, field) => {
    const text = value[key] ?? ''
    return PLAIN.includes(field) ? cleanText(text).replaceAll('`', '') : cleanProse(text, hostPrUrl)
  })
  const context = { language, languageName: languageName(language), hostPrUrl, instructions }
  const texts = textsOf(translated)
  const judged = await Promise.all(
    texts.map(async ([key, text, field]) => {
      const errors = PLAIN.includes(field) ? formErrors(text, context) : await textErrors(text, context)
      const max = field === 'title' ? lengthsFor(language).title : MAX_CHARACTERS[field]
      if (text.length > max) errors.push(`write at most ${max} characters`)
      return errors.map((error) => `${key}: ${error}`)
    }),
  )
  // A title may consist of names only, so its language is checked together with all texts.
  const all = texts.map(([, text]) => text).join('\n')
  const errors = [...judged.flat(), ...(await languageErrors(all, context))]
  for (const [key] of originals)
    if (!texts.some(([own, text]) => own === key && text !== '')) errors.push(`${key}: it is empty`)
  const usable = errors.length > 0 ? null : translated
  return { errors, usable, repair: repairOf(answer, { ...correction, errors }) }
}

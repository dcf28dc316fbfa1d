import type { JsonSchema } from '../../model/schema.ts'
import type { TiedDraft } from '../content.ts'
import { type GivenAnswer, judgeAnswer } from '../parseAnswer.ts'
import type { Translation } from '../prompts/answerTypes.ts'
import { measured, translationPrompt } from '../prompts/prompts.ts'
import { formErrors, languageErrors, textErrors, textsOf, type Verdict } from '../proof/check.ts'
import { cleanProse, cleanText } from '../proof/checkMarkdown.ts'
import { languageName } from '../proof/languages.ts'
import { tokenCounter } from '../reading/tokens.ts'

/** Tokens to quote the first answer if it needs a correction. */
export const TRANSLATION_RESERVE = 4000

interface Input {
  article: TiedDraft
  language: string
}

/** The prompt to translate a verified article; undefined if it does not fit one call. */
export async function prepareTranslation({ article, language, tokensPerCall }: Input & { tokensPerCall: number }) {
  const count = await tokenCounter()
  const prompt = translationPrompt(article, languageName(language))
  const size = prompt.reduce((sum, { content }) => sum + count(content), TRANSLATION_RESERVE)
  return size <= tokensPerCall ? measured(prompt, count) : undefined
}

interface Question extends Input {
  answer: GivenAnswer
  schema: JsonSchema
  hostPrUrl: string
  instructions: string
}

/** Puts the translated texts into the article. Citations stay unchanged. */
export async function judgeTranslation({ article, answer, schema, language, hostPrUrl, instructions }: Question) {
  const standards = { language, languageName: languageName(language), hostPrUrl, instructions }
  const judge = async (translation: Translation): Promise<Verdict<TiedDraft>> => {
    const translated = withTexts(article, translation, hostPrUrl)
    const texts = textsOf(translated)
    const [title = '', ...rest] = texts
    const judged = await Promise.all(rest.map((text) => textErrors(text, standards)))
    // A title may consist of names only, so its language is checked together with all texts.
    const wholeErrors = await languageErrors(texts.join('\n'), standards)
    const errors = [...formErrors(title, standards), ...judged.flat(), ...wholeErrors]
    if (texts.some((text, i) => text === '' && textsOf(article)[i] !== '')) errors.push('a text was left empty')
    return { errors: [...new Set(errors)], usable: errors.length > 0 ? null : translated }
  }
  return judgeAnswer(answer, { schema, judge, reserve: TRANSLATION_RESERVE, count: await tokenCounter() })
}

function withTexts(article: TiedDraft, translation: Translation, hostPrUrl: string): TiedDraft {
  const clean = (text: string | undefined) => cleanProse(text ?? '', hostPrUrl)
  return {
    ...article,
    aiGeneratedTitle: cleanText(translation.aiGeneratedTitle),
    backgroundAndPurpose:
      article.backgroundAndPurpose === null ? null : clean(translation.backgroundAndPurpose ?? undefined),
    mainChanges: article.mainChanges.map((change, i) => ({
      ...change,
      description: clean(translation.mainChanges[i]?.description),
    })),
    notablePoints: article.notablePoints.map((point, i) => ({
      ...point,
      point: clean(translation.notablePoints[i]?.point),
    })),
  }
}

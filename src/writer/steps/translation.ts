import type { JsonSchema } from '../../model/schema.ts'
import type { TiedDraft } from '../content.ts'
import { type GivenAnswer, judgeAnswer } from '../parseAnswer.ts'
import type { Translation } from '../prompts/answerTypes.ts'
import { measured, translationPrompt } from '../prompts/prompts.ts'
import { formErrors, languageErrors, textErrors, textsOf, type Verdict } from '../proof/check.ts'
import { cleanProse, cleanText } from '../proof/checkMarkdown.ts'
import { languageName } from '../proof/languages.ts'
import { tokenCounter } from '../reading/tokens.ts'

/** Room for the first answer to be quoted when it has to be put right. */
export const TRANSLATION_RESERVE = 4000

interface Input {
  article: TiedDraft
  language: string
}

/** The prompt that has a proven article translated; undefined where it does not fit a call. */
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

/** The article with translated texts: what they rest on stays as it is. */
export async function judgeTranslation({ article, answer, schema, language, hostPrUrl, instructions }: Question) {
  const standards = { language, languageName: languageName(language), hostPrUrl, instructions }
  const judge = async (translation: Translation): Promise<Verdict<TiedDraft>> => {
    const translated = withTexts(article, translation, hostPrUrl)
    const texts = textsOf(translated)
    const [title = '', ...rest] = texts
    const judged = await Promise.all(rest.map((text) => textErrors(text, standards)))
    // A headline may be all names; its language shows in the whole.
    const inAll = await languageErrors(texts.join('\n'), standards)
    const errors = [...formErrors(title, standards), ...judged.flat(), ...inAll]
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

import type { Draft } from '../draft.ts'
import { faultsOfForm, faultsOfText, textsOf, type Verdict } from '../proof/check.ts'
import { languageName } from '../proof/languages.ts'
import type { Count } from '../reading/tokens.ts'
import { withoutInvisible } from '../reading/visible.ts'
import { type Translation, translationSchema } from './answerSchemas.ts'
import { converse } from './converse.ts'
import type { Ask } from './desk.ts'
import { translationPrompt } from './prompts.ts'

/** Room for the first answer to be quoted when it has to be put right. */
const RESERVE = 4000

/** Whether an article can be translated in one call. */
export function fitsTranslation(article: Draft, language: string, tokens: number, count: Count) {
  const { messages } = translationPrompt(article, languageName(language))
  return messages.reduce((sum, { content }) => sum + count(content), RESERVE) <= tokens
}

/** The proven article in another language: its texts are translated, what they rest on stays as it is. */
export async function translate<T extends Draft>(
  article: T,
  language: string,
  hostPrUrl: string,
  ask: Ask,
  count: Count,
): Promise<T> {
  const name = languageName(language)
  const prompt = translationPrompt(article, name)
  const standards = { language, languageName: name, hostPrUrl, instructions: prompt.instructions }
  const judge = async (translation: Translation): Promise<Verdict<T>> => {
    const translated = withTexts(article, translation)
    const texts = textsOf(translated)
    const [title = '', ...rest] = texts
    const judged = await Promise.all([...rest, texts.join('\n')].map((text) => faultsOfText(text, standards)))
    const faults = [...faultsOfForm(title, standards), ...judged.flat()]
    if (texts.some((text, i) => text === '' && textsOf(article)[i] !== '')) faults.push('a text was left empty')
    return { faults: [...new Set(faults)], usable: faults.length > 0 ? null : translated }
  }
  return converse(ask, { prompt, answer: translationSchema(article), judge, reserve: RESERVE, count })
}

function withTexts<T extends Draft>(article: T, translation: Translation): T {
  const clean = (text: string | undefined) => withoutInvisible(text ?? '').trim()
  return {
    ...article,
    aiGeneratedTitle: clean(translation.aiGeneratedTitle),
    backgroundAndPurpose: article.backgroundAndPurpose === null ? null : clean(translation.backgroundAndPurpose ?? ''),
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

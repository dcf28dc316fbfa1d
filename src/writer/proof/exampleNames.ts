import type { AnsweredExample } from '../prompts/answerTypes.ts'
import type { CheckContext } from './checkContext.ts'

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu
/** Strings and comments, in which an example may use any words. */
const FREE_TEXT =
  /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/.*|#(?!\[|include\b).*|\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\//g
/** Keywords before a name that the example itself declares. */
const DECLARES = /\b(?:const|let|var|def|fn|func|fun|function|class|struct|enum|interface|type|val|for|as|mut)\s+$/
/** Words of programming languages, and names that every reader knows. */
const COMMON = new Set(
  `abstract and any app args array as assert async await bool boolean break byte bytes case catch char class client config
  console const continue ctx data declare def default defer del delete derive dict do done dyn echo elif else end enum err
  error esac except export extends extern false fi final finally float fmt fn for foo bar baz from fun func function global
  go goto handler if impl implements import in include init input instanceof int integer interface is json key lambda len
  let list log loop main map match mod module move mut name namespace new next nil none not null number obj object of ok on
  option optional or output override package pass path print printf println private process promise protected pub public
  py raise range readonly ref req request require res response result return rs self server set some static str string
  struct sub super switch sync table test text then this throw throws tmp tokio trait true try tuple type typeof undefined
  union unit unsafe use user using val value var vec void where while with x y yaml yield i j k n s t v a b c e f npm npx pip
  cargo install run node python bash sh cd export env http https www com org io example`.split(/\s+/),
)

/** Configuration languages, in which an assignment sets an option that must exist. */
const CONFIGURATION = /^(?:toml|ini|cfg|conf|properties|env|dotenv|hcl|nix)$/i

/** The names in an example that occur nowhere in what the model was shown. */
export function unknownNames(
  { text, language }: Pick<AnsweredExample, 'text' | 'language'>,
  context: CheckContext,
): string[] {
  const code = text.replace(FREE_TEXT, (words) => (words.startsWith('`') ? expressionsIn(words) : ' '))
  const declaresByAssignment = !CONFIGURATION.test(language)
  const wanted = new Map<string, boolean>()
  for (const { 0: name, index } of code.matchAll(NAME)) {
    if (COMMON.has(name.toLowerCase()) || name.length < 2) continue
    const isVariable = declaresByAssignment && code[index - 1] !== '.' && isAssigned(code, index + name.length)
    const isOwn = isVariable || DECLARES.test(code.slice(Math.max(0, index - 40), index))
    wanted.set(name, wanted.get(name) === true || isOwn)
  }
  const missing = new Set([...wanted].filter(([, isOwn]) => !isOwn).map(([name]) => name))
  for (const text of textsShown(context)) {
    if (missing.size === 0) break
    for (const [name] of text.matchAll(NAME)) missing.delete(name)
  }
  return [...missing]
}

/** The expressions in `${…}` of a template string. */
function expressionsIn(template: string): string {
  return ` ${template.match(/\$\{[^}]*\}/g)?.join(' ') ?? ''} `
}

/** Whether `=` follows a name, but not `==`, and not without spaces as in the argument `name=1`. */
function isAssigned(code: string, end: number): boolean {
  return /^\s*(?::[^=;\n]{0,60})?\s+:?=\s/.test(code.slice(end, end + 80))
}

function* textsShown({ lines, headings, passages }: CheckContext): Generator<string> {
  for (const [name, ofFile] of lines) {
    yield name
    for (const { text } of ofFile) yield text
  }
  yield* headings
  for (const { text } of passages) yield text
}

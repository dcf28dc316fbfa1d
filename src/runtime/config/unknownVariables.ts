import { editDistance } from '../../lib/editDistance.ts'
import { SECRETS } from './sources.ts'
import { variables } from './variables.ts'

const OURS = [...Object.keys(variables), ...SECRETS.map((name) => `${name}_FILE`)]
/** Beginnings that only our variables have. `LOG_` and the like begin variables of other programs, too. */
const FAMILIES = ['ARTICLE', 'AUTOMATIC_', 'CODE_HOST_', 'MODEL_', 'OIDC_', 'OPENAI_', 'RATE_LIMIT', 'WATCH_']
/** Variables of the OpenAI package, of Node and of the system's locale. */
const OF_OTHERS =
  /^(OPENAI_(ORG_ID|PROJECT_ID|ADMIN_KEY|WEBHOOK_SECRET|CUSTOM_HEADERS|LOG)|WATCH_REPORT_DEPENDENCIES|LANGUAGE)$/
/** A name counts as misspelt if it differs in one character, or in one of so many, but never in more than `MAX_TYPOS`. */
const CHARACTERS_PER_TYPO = 4
const MAX_TYPOS = 3

/** Warns of variables that are probably meant for the service but unknown to it. Never shows values: some are secret. */
export function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const set = Object.entries(environment).flatMap(([name, value]) => (value?.trim() ? name : []))
  return set
    .filter((name) => !OURS.includes(name) && !OF_OTHERS.test(name))
    .flatMap((name) => {
      const { nearest, distance } = nearestTo(name.toUpperCase())
      const isMisspelt = distance <= Math.min(MAX_TYPOS, Math.max(1, Math.floor(name.length / CHARACTERS_PER_TYPO)))
      if (!isMisspelt && !beginsLikeOurs(name)) return []
      return `${name} is not a variable of Pullpress, so it has no effect. The nearest one is ${nearest}.`
    })
}

function beginsLikeOurs(name: string): boolean {
  const isLonger = (known: string) => known.includes('_') && name.startsWith(known)
  return OURS.some(isLonger) || FAMILIES.some((beginning) => name.startsWith(beginning))
}

/** The name of ours that is most like another one: by distance, or because one begins with the other. */
function nearestTo(name: string): { nearest: string; distance: number } {
  const ranked = OURS.map((nearest) => {
    const distance = editDistance(name, nearest)
    const isPart = nearest.startsWith(name) || name.startsWith(nearest)
    return { nearest, distance, rank: isPart ? Math.min(distance, MAX_TYPOS) : distance }
  })
  return ranked.reduce((best, each) => (each.rank < best.rank ? each : best))
}

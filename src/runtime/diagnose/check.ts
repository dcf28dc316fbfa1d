import { type Config, ConfigError, readConfig } from '../config/config.ts'
import { unknownVariables } from '../config/unknownVariables.ts'
import { checkAddresses } from './addresses.ts'
import { checkCodeHost } from './codeHost.ts'
import { checkDatabase } from './database.ts'
import { type Finding, messageOf } from './finding.ts'
import { checkIssuer } from './issuer.ts'
import { checkModel } from './model.ts'
import { checkRedis } from './redis.ts'
import { checkSignUp } from './signUp.ts'
import { checkSpending } from './spending.ts'

/** Options of a check that also sends the model a prompt of full length, which costs money. */
export interface Deep {
  /** Receives a line about the prompt that is about to be sent. */
  announce(line: string): void
}

const PARTS: [string, (config: Config, deep?: Deep) => Promise<Finding[]>][] = [
  ['addresses', checkAddresses],
  ['sign-up', checkSignUp],
  ['database', checkDatabase],
  ['code host', checkCodeHost],
  ['model', checkModel],
  ['spending', checkSpending],
  ['Redis', checkRedis],
  ['token issuer', checkIssuer],
]

/** Reads the configuration and tries everything that it names. Changes nothing. */
export async function check(environment: NodeJS.ProcessEnv, deep?: Deep): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(environment)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.map((problem) => ({
      part: 'configuration',
      state: 'broken',
      found: problem,
      remedy: 'Correct the variable, then check again.',
    }))
  }
  const valid: Finding = { part: 'configuration', state: 'ok', found: 'All variables are valid.' }
  const unknown = unknownVariables(environment).map((found): Finding => {
    return { part: 'configuration', state: 'advice', found, remedy: 'Correct the name, or remove the variable.' }
  })
  const findings = await Promise.all(
    PARTS.map(([part, find]) =>
      find(config, deep).catch((error): Finding[] => [{ part, state: 'broken', found: messageOf(error) }]),
    ),
  )
  return [...(unknown.length > 0 ? unknown : [valid]), ...findings.flat()]
}

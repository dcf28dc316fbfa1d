import { parseArgs } from 'node:util'
import { DemoFailure } from './failure.ts'

export interface Options {
  /** Exit after printing instead of staying up. */
  once: boolean
  /** Undefined for the default of the service. */
  language: string | undefined
}

const USAGE = 'Usage: npm run demo -- [--once] [--language en]'

export function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: { once: { type: 'boolean', default: false }, language: { type: 'string' } },
    })
    if (values.language !== undefined && !/^[a-z]{2}$/.test(values.language))
      throw new Error('--language takes two letters, such as en.')
    return { once: values.once, language: values.language }
  } catch (error) {
    throw new DemoFailure(`${(error as Error).message}\n${USAGE}`)
  }
}

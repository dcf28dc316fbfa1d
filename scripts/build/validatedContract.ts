// @ts-expect-error: the package declares no types for this file
import { replaceRefs } from '@seriousme/openapi-schema-validator/resolve.js'

/**
 * In the bundle, replaces the validator of fastify-openapi-glue, which would take a tenth of a second at every start.
 * The build has already validated the contract.
 */
export class Validator {
  readonly version = '3.1'
  specification: object = {}

  async validate(specification: object): Promise<{ valid: true }> {
    this.specification = specification
    return { valid: true }
  }

  resolveRefs(): object {
    return replaceRefs(this.specification)
  }
}

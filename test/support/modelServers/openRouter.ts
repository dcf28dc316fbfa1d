import { type Refusal, type Rule, refusal, strictSchemaOf } from './rule.ts'

/** OpenRouter with a model that no provider serves with strict formats. */
export function openRouter({ hidesErrors = false } = {}): Rule[] {
  return [
    {
      refuse: (request) =>
        strictSchemaOf(request)
          ? {
              status: 404,
              body: {
                error: {
                  message:
                    'No endpoints found that can handle the requested parameters. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing',
                  code: 404,
                },
              },
            }
          : undefined,
      report: (refused) => (refused.status === 404 ? refused : insideAnswer(refused, hidesErrors)),
      reply: (reply) => ({ ...reply, comment: 'OPENROUTER PROCESSING' }),
    },
  ]
}

/** Errors of a provider arrive with status 200, once the answer has begun. */
function insideAnswer({ status, body }: Refusal, hidesErrors: boolean): Refusal {
  const { message } = Object(body['error'] ?? body)
  const metadata = { provider_name: 'Example', raw: JSON.stringify(body) }
  return {
    status: 200,
    isInsideAnswer: true,
    body: { error: { code: status, message: hidesErrors ? 'Provider returned error' : message, metadata } },
  }
}

/** A model that the server does not offer. */
export function unknownModel(): Rule {
  return {
    refuse: ({ model }) =>
      refusal(
        `The model \`${model}\` does not exist or you do not have access to it.`,
        { code: 'model_not_found' },
        404,
      ),
  }
}

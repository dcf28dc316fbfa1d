import { styleText } from 'node:util'
import { likePath } from './likes.ts'
import { type Pressed, pathOf } from './press.ts'
import { RANKING } from './ranking.ts'

interface Places {
  url: string
  hostUrl: string
  token: string
  shown: Pressed | undefined
  language: string
}

/** Commands to try while the service runs. */
export function toExplore({ url, hostUrl, token, shown, language }: Places): string {
  const bearer = `-H 'Authorization: Bearer ${token}'`
  const curls = [['The newest pull requests of the favorites', `curl -s '${url}/users/me/feed' ${bearer}`]]
  if (shown) {
    const { owner, repo, prNumber } = shown.article
    const path = pathOf({ owner, repo, number: prNumber })
    const [other, name] = 'en' in shown.article.contents ? ['ja', 'Japanese'] : ['en', 'English']
    const body = `-H 'Content-Type: application/json' -d '{"language":"${other}"}'`
    curls.push(['The article above (no token needed)', `curl -s '${url}${path}/article'`])
    curls.push([`The same in ${name}`, `curl -s -X POST '${url}${path}/article' ${bearer} ${body}`])
    curls.push(['Its pull request', `curl -s '${url}${path}'`])
    if (shown.job)
      curls.push([
        'The events of its job',
        `curl -sN '${new URL(shown.job, url)}' ${bearer} -H 'Accept: text/event-stream'`,
      ])
    curls.push(['Like it', `curl -s -X POST '${url}${likePath(shown.article, language)}' ${bearer}`])
  }
  curls.push(['The ranking (only `liked` needs the token)', `curl -s '${url}${RANKING}' ${bearer}`])
  return [
    styleText('bold', 'Explore'),
    `  Service       ${url}`,
    `  Pages         ${url}/read`,
    `  API docs      ${url}/docs`,
    `  Token         ${token}  (of user reader; <name>-token works for any name)`,
    `  Sample host   ${hostUrl}`,
    ...curls.flatMap(([what, command]) => ['', styleText('dim', `  # ${what}`), `  ${command}`]),
    '',
    'Ctrl-C stops the service and removes its data.',
  ].join('\n')
}

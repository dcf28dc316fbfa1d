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

/** What to try while the service is up. */
export function toExplore({ url, hostUrl, token, shown, language }: Places): string {
  const bearer = `-H 'Authorization: Bearer ${token}'`
  const curls = [['The favourites’ newest pull requests', `curl -s '${url}/users/me/feed' ${bearer}`]]
  if (shown) {
    const { owner, repo, prNumber } = shown.article
    const path = pathOf({ owner, repo, number: prNumber })
    const [other, name] = 'en' in shown.article.contents ? ['ja', 'Japanese'] : ['en', 'English']
    const body = `-H 'Content-Type: application/json' -d '{"language":"${other}"}'`
    curls.push(['The article above, which needs no token', `curl -s '${url}${path}/article'`])
    curls.push([`The same in ${name}`, `curl -s -X POST '${url}${path}/article' ${bearer} ${body}`])
    curls.push(['What it was made from', `curl -s '${url}${path}'`])
    if (shown.job)
      curls.push([
        'How its writing went',
        `curl -sN '${new URL(shown.job, url)}' ${bearer} -H 'Accept: text/event-stream'`,
      ])
    curls.push(['Like it', `curl -s -X POST '${url}${likePath(shown.article, language)}' ${bearer}`])
  }
  curls.push(['The ranking, of which `liked` alone needs the token', `curl -s '${url}${RANKING}' ${bearer}`])
  return [
    styleText('bold', 'Explore'),
    `  The service   ${url}`,
    `  Its pages     ${url}/read`,
    `  Its contract  ${url}/docs`,
    `  Token         ${token}  (aiko-token is aiko’s, and so on for any name)`,
    `  Sample host   ${hostUrl}`,
    ...curls.flatMap(([what, command]) => ['', styleText('dim', `  # ${what}`), `  ${command}`]),
    '',
    'Ctrl-C ends it and removes the data.',
  ].join('\n')
}

import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters, styleText } from 'node:util'
import type { Api, Schemas } from './api.ts'
import { fitted } from './columns.ts'

type Ranked = Schemas['RankedArticleInfo']

export const RANKING = '/ranking/articles/likes'
const BAR = 8
const NARROWEST_TITLE = 16
const MAX_LOOKS = 50
const PAUSE_MS = 100

/** The ranking once it counts so many likes, which takes it moments; in the end, as it is. */
export async function readRanking(api: Api, likes: number): Promise<Ranked[]> {
  for (let looks = 1; ; looks++) {
    const { data } = await api.data<Schemas['RankingPage']>('GET', RANKING)
    if (looks === MAX_LOOKS || data.reduce((sum, { likeCount }) => sum + likeCount, 0) === likes) return data
    await sleep(PAUSE_MS)
  }
}

/** A line for each, in so many columns; where these are few, without the pull requests. */
export function printedRanking(ranking: Ranked[], reader: string, columns: number): string {
  const most = Math.max(...ranking.map(({ likeCount }) => likeCount))
  const starts = ranking.map((row) => startOf(row, most, String(ranking.at(-1)?.rank).length))
  const places = ranking.map(({ repositoryFullName, prNumber }) => `  ${repositoryFullName}#${prNumber}`)
  const room = columns - widest(starts)
  const titleColumns = room - widest(places)
  const lines = ranking.map(({ aiGeneratedTitle }, i) =>
    titleColumns < NARROWEST_TITLE
      ? starts[i] + fitted(aiGeneratedTitle, room).trimEnd()
      : starts[i] + fitted(aiGeneratedTitle, titleColumns) + styleText('dim', places[i] ?? ''),
  )
  return [`${styleText('bold', 'Ranking')}  ${styleText('dim', `♥ liked by ${reader}`)}`, ...lines].join('\n')
}

function startOf({ rank, likeCount, liked }: Ranked, most: number, rankColumns: number): string {
  const bar = '█'.repeat(Math.max(Math.round((likeCount / most) * BAR), 1)).padEnd(BAR)
  const likes = String(likeCount).padStart(String(most).length)
  const mark = liked ? styleText('red', '♥') : ' '
  return `  ${String(rank).padStart(rankColumns)}  ${styleText('cyan', bar)} ${likes} ${mark}  `
}

function widest(texts: string[]): number {
  return Math.max(...texts.map((text) => stripVTControlCharacters(text).length))
}

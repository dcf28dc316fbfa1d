import { setTimeout as sleep } from 'node:timers/promises'
import { stripVTControlCharacters, styleText } from 'node:util'
import { fitted } from '../terminal/columns.ts'
import type { Api, Schemas } from './api.ts'

type Ranked = Schemas['RankedArticleInfo']

export const RANKING = '/ranking/articles/likes'
const BAR = 8
const MIN_TITLE_COLUMNS = 16
const MAX_TRIES = 50
const PAUSE_MS = 100

/** Waits until the ranking has counted this many likes, up to a limit. */
export async function readRanking(api: Api, likes: number): Promise<Ranked[]> {
  for (let tries = 1; ; tries++) {
    const { data } = await api.data<Schemas['RankingPage']>('GET', RANKING)
    if (tries === MAX_TRIES || data.reduce((sum, { likeCount }) => sum + likeCount, 0) === likes) return data
    await sleep(PAUSE_MS)
  }
}

/** One line per article; omits the pull requests if there are few columns. */
export function printedRanking(ranking: Ranked[], reader: string, columns: number): string {
  const maxLikes = Math.max(...ranking.map(({ likeCount }) => likeCount))
  const starts = ranking.map((row) => startOf(row, maxLikes, String(ranking.at(-1)?.rank).length))
  const places = ranking.map(({ repositoryFullName, prNumber }) => `  ${repositoryFullName}#${prNumber}`)
  const room = columns - widest(starts)
  const titleColumns = room - widest(places)
  const lines = ranking.map(({ aiGeneratedTitle }, i) =>
    titleColumns < MIN_TITLE_COLUMNS
      ? starts[i] + fitted(aiGeneratedTitle, room).trimEnd()
      : starts[i] + fitted(aiGeneratedTitle, titleColumns) + styleText('dim', places[i] ?? ''),
  )
  return [`${styleText('bold', 'Ranking')}  ${styleText('dim', `♥ liked by ${reader}`)}`, ...lines].join('\n')
}

function startOf({ rank, likeCount, liked }: Ranked, maxLikes: number, rankColumns: number): string {
  const bar = '█'.repeat(Math.max(Math.round((likeCount / maxLikes) * BAR), 1)).padEnd(BAR)
  const likes = String(likeCount).padStart(String(maxLikes).length)
  const mark = liked ? styleText('red', '♥') : ' '
  return `  ${String(rank).padStart(rankColumns)}  ${styleText('cyan', bar)} ${likes} ${mark}  `
}

function widest(texts: string[]): number {
  return Math.max(...texts.map((text) => stripVTControlCharacters(text).length))
}

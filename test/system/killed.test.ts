import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFailed, onTestFinished, test } from 'vitest'
import { startFakeHost } from '../../scripts/fakeHost/fakeHost.ts'
import { createClient } from '../support/client.ts'
import { findPostgres, startCluster } from '../support/cluster.ts'
import { expectCounted, readTextLikes, signUpMany, startLiker, writeTexts } from '../support/likers.ts'
import { startProcess } from '../support/process.ts'
import { seededRandom } from '../support/seededRandom.ts'

const seed = Number(process.env['TEST_SEED'] ?? randomInt(2 ** 31))
const KILLS = 3
const LIKERS = 200
const LIKES_BETWEEN_KILLS = 500
const OUTAGE_MS = 300
const BACK_WITHIN_MS = 60_000

const installed = findPostgres()
if (!installed) console.log('Skipping the killed-database test: initdb or an unprivileged user is missing.')

async function startOnCluster(cluster: Awaited<ReturnType<typeof startCluster>>) {
  const host = await startFakeHost()
  onTestFinished(() => host.close())
  const server = await startProcess({
    DATABASE_URL: cluster.url,
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    CODE_HOST_API_URL: host.url,
  })
  onTestFinished(async () => void (await server.kill('SIGKILL')))
  let exit: unknown
  void server.exited.then((status) => {
    exit = status
  })
  onTestFailed(() => console.log(server.output().slice(-4000)))
  return { host, client: createClient(server.url), exit: () => exit }
}

test.skipIf(!installed)(
  'keeps acknowledged likes and counts them once when the database is killed three times',
  {
    timeout: 180_000,
  },
  async () => {
    onTestFailed(() => console.log(`TEST_SEED=${seed}`))
    const cluster = await startCluster(installed as NonNullable<typeof installed>)
    onTestFinished(() => cluster.remove())
    const { host, client, exit } = await startOnCluster(cluster)
    const users = await signUpMany(client, host, LIKERS)
    const texts = await writeTexts(client, { host, token: users[0]?.token ?? '' }, { articles: 12, inEnglish: 3 })

    const likers = users.map(({ token }, i) => startLiker(client, token, texts, seededRandom(seed + i)))
    onTestFinished(async () => void (await Promise.all(likers.map((liker) => liker.stop()))))
    const acknowledgedLikes = () => likers.reduce((sum, liker) => sum + liker.acknowledged(), 0)
    const expectMoreLikes = () => {
      const enough = acknowledgedLikes() + LIKES_BETWEEN_KILLS
      return expect.poll(acknowledgedLikes, { timeout: BACK_WITHIN_MS }).toBeGreaterThan(enough)
    }
    const expectNoFaults = () => expect([exit(), ...likers.flatMap((liker) => liker.faults)]).toEqual([undefined])
    for (let kill = 0; kill < KILLS; kill++) {
      await expectMoreLikes()
      const killedAt = performance.now()
      await cluster.kill9()
      await sleep(OUTAGE_MS)
      await cluster.start()
      const startedAt = performance.now()
      const served = () => likers.filter((liker) => liker.wasAcknowledgedSince(startedAt)).length
      await expect.poll(served, { timeout: BACK_WITHIN_MS, message: 'likers served again' }).toBe(likers.length)
      expect(likers.some((liker) => liker.wasRefusedSince(killedAt))).toBe(true)
      expectNoFaults()
    }
    await expectMoreLikes()
    await Promise.all(likers.map((liker) => liker.stop()))
    expectNoFaults()

    const sql = new pg.Client({ connectionString: cluster.url })
    await sql.connect()
    onTestFinished(() => sql.end())
    const { rows } = await sql.query<{ like: string }>(
      "select concat_ws(' ', user_id, article_id, language) as like from likes",
    )
    const likes = new Set(rows.map((row) => row.like))
    const acknowledged = likers.flatMap(({ known }, i) =>
      [...known]
        .filter(([, isLiked]) => isLiked !== undefined)
        .map(([text, isLiked]) => ({ like: `${users[i]?.id} ${text.articleId} ${text.language}`, isLiked })),
    )
    expect(acknowledged.filter(({ like, isLiked }) => likes.has(like) !== isLiked)).toEqual([])
    expect(acknowledged.length).toBeGreaterThan((users.length * texts.length) / 2)

    for (const { likes, all_time, uncounted, ...text } of await readTextLikes(sql))
      expect(all_time + uncounted, JSON.stringify(text)).toBe(likes)
    expect((await client.call('getArticleRanking')).status).toBe(200)
    await expectCounted(sql)
    for (const { article_id, language, likes } of await readTextLikes(sql)) {
      const { body } = await client.call('getArticleById', { params: { articleId: article_id } })
      expect(body.data.contents[language].likeCount).toBe(likes)
    }
  },
)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPull, articlesOf } from '../support/articles.ts'
import { changed } from '../support/pulls.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const token = await service.signedUp('reader')

/** A stored text: its language, title, lead and a section. */
interface Text {
  language: string
  title: string
  lead: string
  description: string
  heading?: string
  path?: string
  quote?: string
}

const SOURCE = { kind: 'description', author: 'dev', url: 'https://host.example/acme/shop/pull/1' }

const texts: Record<string, Text> = {
  subscribe: {
    language: 'ja',
    title: 'useSyncExternalStore の購読が切り替わるようになる',
    lead: '`subscribe` を差し替えると、古い購読が解除され、新しい購読が始まります。',
    description: 'effect は `subscribe` に依存し、最新の値は `getSnapshot` から取り直します。',
    path: 'src/jsx/hooks/index.ts',
  },
  etag: {
    language: 'ja',
    title: '弱い ETag どうしも 304 で応答する',
    lead: '条件付きリクエストの `If-None-Match` に弱いタグがあるとき、比較に成功します。',
    description: '引用符の前の `W/` を取り除いてから比べます。',
    path: 'src/middleware/etag/index.ts',
  },
  cookie: {
    language: 'ja',
    title: 'クッキーの有効期限に上限がつく',
    lead: '有効期限が 400 日を超えるクッキーは、エラーになります。',
    description: 'ブラウザーの仕様に合わせました。`maxAge` と `expires` の両方を検査します。',
  },
  server: {
    language: 'ja',
    title: 'サーバーの停止を待つ時間を設定できる',
    lead: 'コンテナを止めるとき、処理中のリクエストが終わるまで待ちます。',
    description: '既定では待ちません。`gracefulShutdown` に秒数を渡します。',
    quote: 'Kubernetes sends SIGTERM, and our customers lose their uploads.',
  },
  upload: {
    language: 'ja',
    title: 'ファイルのアップロードが途中で切れなくなる',
    lead: '大きなファイルを送ると接続が閉じる不具合が直りました。',
    description: 'バッファの大きさを確かめずに読み進めていました。',
  },
  router: {
    language: 'zh',
    title: '路由器支持可选参数',
    lead: '路径中的可选参数现在可以放在末尾,不再返回 404。',
    description: '正则表达式在编译时展开,因此匹配速度不变。',
    path: 'src/router/reg-exp-router/trie.ts',
  },
  cache: {
    language: 'zh',
    title: '缓存头不会重复写入',
    lead: '代理服务器转发响应时,缓存控制头只保留一个。',
    description: '以前会出现两个相同的标头,浏览器会忽略其中之一。',
  },
  search: {
    language: 'ko',
    title: '검색 결과를 날짜순으로 정렬한다',
    lead: '검색 화면에서 가장 새로운 글이 먼저 나타납니다.',
    description: '색인을 다시 만들 필요는 없습니다.',
  },
  login: {
    language: 'ko',
    title: '로그인 오류 메시지를 고친다',
    lead: '비밀번호가 틀리면 이유를 알려 줍니다.',
    description: '보안을 위해 남은 횟수는 표시하지 않습니다.',
  },
  hooks: {
    language: 'en',
    title: 'Hooks run in the order in which they were added',
    lead: 'Plugins that add an `onRequest` hook twice no longer see them reversed.',
    description: 'The list was sorted by name. It is now kept as it is.',
    path: 'lib/hooks.js',
  },
  retry: {
    language: 'en',
    title: 'Retries stop when the deadline has passed',
    lead: 'A client with a timeout gives up at once instead of after the next attempt.',
    description: 'The deadline is compared before every attempt; see `HTTPClient.sendWithRetry`.',
    path: 'packages/client/src/http_client.py',
  },
  czech: {
    language: 'en',
    title: 'Names with accents sort correctly',
    lead: 'A résumé by Dvořák is found next to one by Dvorak.',
    description: 'Comparison uses the collation of the locale.',
  },
}

/** A search text and all articles that it must find. The first one must be the first result. */
const queries: [q: string, ...found: (keyof typeof texts)[]][] = [
  ['購読', 'subscribe'],
  ['読が', 'subscribe'],
  ['差し替え', 'subscribe'],
  ['解除 購読', 'subscribe'],
  ['useSyncExternalStore', 'subscribe'],
  ['externalstore', 'subscribe'],
  ['getSnapshot', 'subscribe'],
  ['snapshot', 'subscribe'],
  ['ｕｓｅＳｙｎｃ', 'subscribe'],
  ['jsx/hooks', 'subscribe'],
  ['hooks', 'hooks', 'subscribe'],
  ['hook', 'hooks', 'subscribe'],
  ['index.ts etag', 'etag'],
  ['If-None-Match', 'etag'],
  ['304', 'etag'],
  ['弱い', 'etag'],
  ['有効期限', 'cookie'],
  ['ｸｯｷｰ', 'cookie'],
  ['くっきー', 'cookie'],
  ['400 日', 'cookie'],
  ['maxAge', 'cookie'],
  ['"400 日を超える"', 'cookie'],
  ['サーバー', 'server'],
  ['停止', 'server'],
  ['コンテナ', 'server'],
  ['graceful', 'server'],
  ['ファイル', 'upload'],
  ['接続が閉じる', 'upload'],
  ['バッファ', 'upload'],
  ['可选参数', 'router'],
  ['路由', 'router'],
  ['正则表达式', 'router'],
  ['缓存', 'cache'],
  ['服务器', 'cache'],
  ['검색', 'search'],
  ['정렬', 'search'],
  ['비밀번호', 'login'],
  ['오류 메시지', 'login'],
  ['deadline', 'retry'],
  ['sendWithRetry', 'retry'],
  ['http_client.py', 'retry'],
  ['HTTP client', 'retry'],
  ['order added', 'hooks'],
  ['onrequest', 'hooks'],
  ['dvorak', 'czech'],
  ['RÉSUMÉ', 'czech'],
  ['購読 -getSnapshot'],
  ['"customers lose"', 'server'],
  ['購', 'subscribe'],
  ['超', 'cookie'],
]

const names = new Map<string, string>()

beforeAll(async () => {
  const { generated } = articlesOf(service)
  for (const [name, { language, title, lead, description, heading, quote, path = 'src/main.ts' }] of Object.entries(
    texts,
  )) {
    const { id, contents } = await generated(aPull(service, { files: [changed(path)] }), token)
    const { likeCount: _, stale: __, ...content } = contents.ja
    const [change] = content.mainChanges
    const stored = {
      ...content,
      aiGeneratedTitle: title,
      lead: { text: lead, basis: 'diff', evidence: change.evidence },
      backgroundAndPurpose: null,
      reasons: quote ? [{ text: 'A reason.', basis: 'stated', sources: [{ ...SOURCE, quote }], evidence: [] }] : [],
      mainChanges: [{ ...change, heading: heading ?? null, description }],
      notablePoints: [],
    }
    const { db } = service.ctx
    const row = await db.selectFrom('article_texts').where('article_id', '=', id).selectAll().executeTakeFirstOrThrow()
    await db.deleteFrom('article_texts').where('article_id', '=', id).execute()
    await db
      .insertInto('article_texts')
      .values({ ...row, language, title, lead, content: JSON.stringify(stored) })
      .execute()
    names.set(id, name)
  }
  service.ctx.indexing.soon()
})

test.each(queries)('finds the expected articles for: %s', async (q, ...wanted) => {
  const { status, body } = await service.call('listArticles', { query: { q, limit: 100 } })
  expect(status).toBe(200)
  const found: string[] = body.data.data.map(({ articleId }: { articleId: string }) => names.get(articleId))
  expect(found[0]).toBe(wanted[0])
  expect(found.toSorted()).toEqual(wanted.toSorted())
})

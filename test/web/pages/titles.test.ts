import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { likesOf } from '../../support/likes.ts'
import { sendOnce } from '../../support/sendOnce.ts'

const service = await startWritingService()
afterAll(() => service.close())
const { counted, liked } = likesOf(service)
const token = await service.signedUp('reader')

const TITLE = 'Read `Map<K>` & `__init__` for a*b*c'
const TITLE_HTML = 'Read <code>Map&lt;K&gt;</code> &amp; <code>__init__</code> for a*b*c'
const TITLE_TEXT = 'Read Map&lt;K&gt; &amp; __init__ for a*b*c'
const PULL_TITLE = 'Fix `a` & ``b`c``, not a lone `'
const PULL_TITLE_HTML = 'Fix <code>a</code> &amp; <code>b`c</code>, not a lone `'

const place = aPull(service, { title: PULL_TITLE })
const article = await articlesOf(service).generated(place, token, { language: 'en' })
const LEAD = 'It *renames* `snake_case` to `**kwargs`.'
const written = { aiGeneratedTitle: TITLE, lead: { text: LEAD, basis: 'diff', evidence: [] } }
await sql`
  update article_texts set
    title = ${TITLE}, lead = ${LEAD},
    content = (content::jsonb || ${JSON.stringify(written)}::jsonb)::text, markup = null
  where article_id = ${article.id}`.execute(service.ctx.db)
const [repository = ''] = place.split('#')
const textOf = async (path: string) => (await sendOnce(`${service.url}${path}`)).text()

test('the article page shows code in titles and plain text in the head', async () => {
  const page = await textOf(`/read/articles/${article.id}?language=en`)
  const [head = '', body = ''] = page.split('</head>')
  expect(head).toContain(`<title>${TITLE_TEXT} · Pullpress</title>`)
  expect(head).toContain(`<meta property="og:title" content="${TITLE_TEXT}">`)
  expect(head.match(/It renames snake_case to \*\*kwargs\./g)).toHaveLength(2)
  expect(head).not.toContain('`')
  expect(body).toContain(`<h1>${TITLE_HTML}</h1>`)
  expect(body).toContain(`>${PULL_TITLE_HTML}</p>`)
})

test('lists show code in titles', async () => {
  await liked(token, { articleId: article.id, langCode: 'en' })
  await counted()
  expect(await textOf('/read')).toContain(`lang="en">${TITLE_HTML}</a>`)
  const browser = openBrowser(service.url, 'en')
  await browser.submit('/sign-in', { token: service.host.token('reader') })
  const mine = await (await browser.submit('/read/favorites', { repository })).text()
  expect(mine).toContain(`lang="en">${TITLE_HTML}</a>`)
  expect(mine).toContain(`dir="auto">${PULL_TITLE_HTML}</a>`)
})

test('feeds contain titles and summaries as plain text', async () => {
  const feed = await textOf(`/feeds/repos/${repository}`)
  expect(feed).toContain(`<title type="html"><![CDATA[${TITLE_TEXT}]]></title>`)
  expect(feed).toContain('It renames snake_case to **kwargs.')
  expect(feed).not.toContain('`')
})

test('the API returns titles as written', async () => {
  const { body } = await service.call('getArticleById', { params: { articleId: article.id } })
  expect([body.data.contents.en.aiGeneratedTitle, body.data.title]).toEqual([TITLE, PULL_TITLE])
})

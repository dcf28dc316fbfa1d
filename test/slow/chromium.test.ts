import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { CLIENT } from '../../scripts/fakeHost/fakeOAuth.ts'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { hasChromium, launch } from '../support/chromium.ts'
import { holding } from '../support/fakeModel.ts'
import { checkedAt, listedMerges } from '../support/mergeRows.ts'
import { feature } from '../support/newForm/feature.ts'
import { large } from '../support/newForm/large.ts'
import { smallFix } from '../support/newForm/smallFix.ts'
import { storeSample } from '../support/newForm/store.ts'
import { changed, repositoryOf } from '../support/pulls.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Folder for optional screenshots of each page. */
const screenshotFolder = process.env['PICTURES']
/** The default rules of axe that check colors. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** In the second color scheme of a width, axe checks only the rules about colors: elements and layout are the same. */
const VARIANTS = [
  [390, 'light', undefined],
  [390, 'dark', COLOR_RULES],
  [1280, 'dark', undefined],
  [1280, 'light', COLOR_RULES],
] as const

/** Merged pull requests in all states. */
const manyMerges: Parameters<typeof listedMerges>[2] = [
  ...Array.from({ length: 12 }, (_, i) => ({ number: 20 + i, title: `Change ${i}` })),
  { number: 12, title: 'Start the project', is_earlier: true },
  {
    number: 1,
    title: 'feat: keep `idle` connections open',
    status: 'written',
    ...scoreOf(['feature', 35], ['tests', 5]),
  },
  { number: 2, title: 'Drop the `v1` endpoints', status: 'queued', ...scoreOf(['breaking', 40], ['closesIssue', 10]) },
  { number: 3, title: 'Answer probes within two seconds' },
  { number: 4, title: 'fix: retry after 429', status: 'waiting', ...scoreOf(['fix', 20], ['discussion', 10, 14]) },
  { number: 5, title: 'Reword a comment', status: 'skipped', reason: 'low_score', ...scoreOf(['sourceLines', 6, 1]) },
  {
    ...{ number: 6, title: 'Bump a-very-long-package-name-without-any-space-in-it-at-all from 1.0.0 to 1.0.1' },
    ...{ status: 'skipped', reason: 'bot', author: 'renovate[bot]', author_is_bot: true },
    ...scoreOf(['routine', -20], ['onlyLockFiles', -50]),
  },
  { number: 7, title: 'Tidy up', status: 'skipped', reason: 'not_wanted', ...scoreOf(['refactoring', -5]) },
  { number: 8, title: 'perf: cache heads', status: 'skipped', reason: 'budget_spent', ...scoreOf(['performance', 25]) },
  { number: 9, title: 'Remove a page', status: 'skipped', reason: 'gone' },
  {
    ...{ number: 10, title: 'Rewrite the parser', status: 'failed', error_code: 'MODEL_UNAVAILABLE' },
    ...{ next_try_at: new Date('2026-02-04T05:06:00Z'), ...scoreOf(['feature', 35], ['sourceLines', 30, 1240]) },
  },
  {
    number: 11,
    title: 'Generate everything',
    status: 'failed',
    error_code: 'GENERATION_FAILED',
    error_reason: 'deadline',
  },
]

function scoreOf(...rules: [name: string, points: number, count?: number][]) {
  const factors = rules.map(([name, points, count = null]) => ({ name, points, count }))
  return {
    score: Math.max(
      0,
      Math.min(
        100,
        factors.reduce((sum, { points }) => sum + points, 0),
      ),
    ),
    factors,
  }
}

interface Axe {
  run(options: {
    resultTypes: string[]
    runOnly?: string[]
  }): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

describe.runIf(hasChromium)('in a browser', async () => {
  // Vitest runs this function even when it skips the tests.
  if (!hasChromium) return
  const automatic = { AUTOMATIC_ARTICLES: 'on', CODE_HOST_TOKEN: 'service-token' }
  const service = await startWritingService({ ...CLIENT, ...automatic }, { hasPages: true })
  service.host.admit('service-token', 'pullpress')
  const browser: Browser = await launch()
  const { generated } = articlesOf(service)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  /** Records requests to other hosts and errors in the page. */
  function watch(context: BrowserContext) {
    const foreignRequests: string[] = []
    const faults: string[] = []
    const ownOrigins = [service.url, service.host.url]
    context.on('request', (request) => {
      if (!ownOrigins.some((origin) => request.url().startsWith(origin))) foreignRequests.push(request.url())
    })
    context.on('weberror', (error) => void faults.push(String(error.error())))
    context.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
    return { foreignRequests, faults }
  }

  /** Checks accessibility and horizontal overflow for both widths and color schemes. */
  async function expectAccessible(page: Page, name: string): Promise<void> {
    // The content security policy blocks foreign scripts, so axe is injected by the debugger.
    await page.evaluate(axe)
    for (const [width, colorScheme, rules] of VARIANTS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      const found = await page.evaluate(async (runOnly) => {
        const { violations } = await (globalThis as never as { axe: Axe }).axe.run({
          resultTypes: ['violations'],
          ...(runOnly && { runOnly }),
        })
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      }, rules)
      expect(found, `${page.url()} ${width} ${colorScheme}`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      if (screenshotFolder)
        await page.screenshot({ path: `${screenshotFolder}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }

  test('signs in, reads, opens evidence, likes, finds the article again, switches language and signs out', async () => {
    const place = aPull(service)
    service.host.oauth.browser.login = 'hanako'
    const context = await browser.newContext({ locale: 'en' })
    const { foreignRequests, faults } = watch(context)
    const page = await context.newPage()
    await page.goto(`${service.url}/`)
    await expectAccessible(page, 'home')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expectAccessible(page, 'sign-in')
    await page.getByRole('link', { name: /Sign in with/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()

    const { held, release } = holding()
    service.model.next(held)
    await page.getByLabel('Pull request URL').fill(`${service.host.url}/${place.replace('#', '/pull/')}`)
    await page.getByRole('button', { name: 'Read' }).click()
    await page.getByRole('progressbar').waitFor()
    await expectAccessible(page, 'writing')
    const shown = () => page.evaluate<number>('document.querySelector("progress").value')
    const before = await shown()
    await expect.poll(shown).toBeGreaterThan(before)
    release()
    await page.locator('article').waitFor({ timeout: 30_000 })
    await page.getByRole('button', { name: 'Evidence 1' }).first().click()
    await page.locator('.diff').first().waitFor()
    await expectAccessible(page, 'article')
    const like = page.getByRole('button', { name: /Like/ })
    expect(await like.getAttribute('aria-pressed')).toBe('false')
    await like.click()
    await page.locator('[aria-pressed="true"]').waitFor()
    expect(await like.textContent()).toContain('1')
    const address = page.url()
    const title = await page.locator('h1').textContent()

    await page.getByRole('link', { name: /My page/ }).click()
    await page.getByRole('link', { name: title ?? '' }).waitFor()
    await expectAccessible(page, 'me')
    await page.getByLabel('Name', { exact: true }).fill('My assistant')
    await page.getByRole('button', { name: 'Create token' }).click()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByText('Copied.').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^pp_[0-9a-f]{64}$/)
    await expectAccessible(page, 'new-token')
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByRole('button', { name: '日本語' }).click()
    await page.getByRole('heading', { name: 'お気に入り', exact: true }).waitFor()
    await expectAccessible(page, 'me-ja')
    await page.goto(address)
    expect(await page.locator('[aria-pressed="true"]').count()).toBe(1)
    await page.getByRole('button', { name: 'サインアウト' }).click()
    await page.getByRole('link', { name: 'サインイン' }).waitFor()
    await page.goto(`${service.url}/read/none`)
    await expectAccessible(page, 'not-found')
    expect(foreignRequests).toEqual([])
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
    await context.close()
  })

  test.each(Object.entries({ smallFix, feature, large }))(
    'shows a stored sample of an article: %s',
    async (name, sample) => {
      const { id } = await storeSample(service, await service.signedUp(`reader-of-${name}`), sample)
      const context = await browser.newContext({ locale: 'ja' })
      const { foreignRequests, faults } = watch(context)
      const page = await context.newPage()
      await page.goto(`${service.url}/read/articles/${id}?language=ja`)
      await expectAccessible(page, name)

      const numbers = page.getByRole('button', { name: /^根拠 \d+$/ })
      const first = numbers.first()
      await first.focus()
      await page.keyboard.press('Space')
      const block = page.locator('.evidence')
      await block.waitFor()
      expect(await first.getAttribute('aria-expanded')).toBe('true')
      expect(await first.evaluate((link) => link.matches(':focus'))).toBe(true)
      expect(await block.getAttribute('id')).toBe(await first.getAttribute('aria-controls'))
      await page.keyboard.press('Enter')
      await block.waitFor({ state: 'detached' })
      for (const number of await numbers.all()) await number.click()
      await expect.poll(() => block.count()).toBe(await numbers.count())
      expect(await block.locator('.diff').count()).toBe(await numbers.count())
      await expectAccessible(page, `${name}-unfolded`)
      await page.goto(`${service.url}/read/articles/${id}/evidence?language=ja`)
      await expectAccessible(page, `${name}-evidence`)
      expect(foreignRequests).toEqual([])
      expect(faults).toEqual([])
      await context.close()
    },
  )

  test('shows lists of articles, searches and the page of a repository', async () => {
    const token = await service.signedUp('list-reader')
    const context = await browser.newContext({ locale: 'ja' })
    const { foreignRequests, faults } = watch(context)
    const page = await context.newPage()
    const visit = async (path: string, name: string) => {
      await page.goto(`${service.url}${path}`)
      await expectAccessible(page, name)
    }
    await visit('/read', 'front-few')
    const pulls = Array.from({ length: 22 }, (_, i) => ({
      number: i + 1,
      title: `fix: keep ${i} connections`,
      labels: ['bug'],
      files: [changed(`src/pool/connection${i % 3}.ts`)],
      ...(i % 2 === 0 && { mergedAt: '2026-02-03T00:00:00Z' }),
    }))
    repositoryOf(service, 'acme/pool', { description: 'Connections that are kept and shared.', pulls })
    for (const { number } of pulls)
      await generated(`acme/pool#${number}`, token, { language: number % 5 === 0 ? 'en' : 'ja' })
    await visit('/read', 'front')
    const [newest, ranking] = [page.locator('.newest'), page.locator('.ranked')]
    await page.setViewportSize({ width: 1280, height: 800 })
    expect([await newest.isVisible(), await ranking.isVisible()]).toEqual([true, true])
    await page.setViewportSize({ width: 390, height: 800 })
    expect([await newest.isVisible(), await ranking.isVisible()]).toEqual([true, false])
    await page.getByRole('link', { name: 'いいねランキング' }).click()
    expect([await newest.isVisible(), await ranking.isVisible()]).toEqual([false, true])
    await expectAccessible(page, 'ranking')

    await page.getByRole('searchbox', { name: '記事を検索' }).fill('利用者')
    await page.keyboard.press('Enter')
    await page.locator('mark').first().waitFor()
    await expectAccessible(page, 'search')
    await visit('/read/search?q=nowhere&type=FIX', 'search-nothing')
    await visit('/read/search?q=type:nothing', 'search-error')
    await visit('/read/repos/acme/pool', 'repository')
    await page.locator('.articles .title').first().click()
    await page.locator('.related').waitFor()
    await expectAccessible(page, 'related')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'リンクをコピー' }).click()
    await page.getByText('コピーしました。').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url())
    expect(foreignRequests).toEqual([])
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await context.close()
  })

  test.each([
    ['ja', 'お気に入り', '保存'],
    ['en', 'Favorites', 'Save'],
  ])('shows settings of automatic articles and the list of merges: %s', async (locale, heading, save) => {
    const [name, login] = [`acme/merging-${locale}`, `merge-reader-${locale}`]
    const token = await service.signedUp(login)
    const { id } = repositoryOf(service, name, { pulls: [{ number: 1, title: 'Some', files: [changed('a.ts')] }] })
    repositoryOf(service, `acme/second-${locale}`)
    repositoryOf(service, `acme/hidden-${locale}`, { private: true, members: [login] })
    for (const repo of [`hidden-${locale}`, `second-${locale}`, `merging-${locale}`])
      await service.call('addFavorite', { token, body: { owner: 'acme', repo } })
    await generated(`${name}#1`, token)
    await listedMerges(service, id, manyMerges)
    await checkedAt(service, id, service.ctx.now(), new Date(service.ctx.now().getTime() + 300_000))

    service.host.oauth.browser.login = login
    const context = await browser.newContext({ locale })
    const { foreignRequests, faults } = watch(context)
    const page = await context.newPage()
    await page.goto(`${service.url}/read/repos/${name}/merges`)
    await expectAccessible(page, `merges-${locale}`)
    expect(await page.locator('time[data-clock]').first().textContent()).toMatch(/\d:\d\d/)
    await page.goto(`${service.url}/sign-in?to=/read/repos/${name}/merges`)
    await page.locator('a.button').click()
    await page.getByRole('button', { name: /#5$/ }).waitFor()
    await expectAccessible(page, `merges-follower-${locale}`)
    await page.goto(`${service.url}/read/me`)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await page.locator('summary').first().click()
    await page.locator('select[name="automaticArticles"]').first().selectOption('everything')
    await page.getByRole('checkbox').first().check()
    await expectAccessible(page, `settings-open-${locale}`)
    await page.getByRole('button', { name: save }).first().click()
    await page.getByRole('status').waitFor()
    await expectAccessible(page, `settings-saved-${locale}`)
    expect(foreignRequests).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })

  test.each([
    ['ja', '間違いを報告', '間違いの内容', '報告する'],
    ['en', 'Report a mistake', 'What is wrong', 'Send report'],
  ])('a user can report a mistake without scripts: %s', async (locale, link, label, send) => {
    const login = `reporter-${locale}`
    const { id } = await storeSample(service, await service.signedUp(login), smallFix)
    service.host.oauth.browser.login = login
    const context = await browser.newContext({ locale })
    // The page must work without its script. Scripts stay enabled, because axe is a script.
    await context.route('**/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
    const { foreignRequests, faults } = watch(context)
    const page = await context.newPage()
    await page.goto(`${service.url}/read/articles/${id}?language=ja`)
    await page.getByRole('link', { name: link }).click()
    await expectAccessible(page, `mistake-sign-in-${locale}`)
    await page.locator('a.button').click()
    await page.getByLabel(label).waitFor()
    await expectAccessible(page, `mistake-form-${locale}`)
    await page.getByLabel(label).fill(' ')
    await page.getByRole('button', { name: send }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, `mistake-refused-${locale}`)
    await page.getByLabel(label).fill('60 秒ではなく 30 秒です。')
    await page.getByRole('button', { name: send }).click()
    await page.getByRole('status').waitFor()
    await expectAccessible(page, `mistake-thanks-${locale}`)
    expect(foreignRequests).toEqual([])
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await context.close()
  })

  test('the number of a citation links to the evidence page if its lines cannot be loaded', async () => {
    const { id } = await storeSample(service, await service.signedUp('link-reader'), smallFix)
    for (const javaScriptEnabled of [false, true]) {
      const context = await browser.newContext({ javaScriptEnabled })
      await context.route('**/evidence*', (route) =>
        route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
      )
      const page = await context.newPage()
      await page.goto(`${service.url}/read/articles/${id}?language=ja`)
      await page.locator('a.cite').nth(1).click()
      await page.waitForURL(`**/articles/${id}/evidence?language=ja#e2`)
      expect(await page.locator('.evidence:target').textContent()).toContain('if (wait > 0)')
      await context.close()
    }
  })

  test('several clicks while cited lines are loading open only one block, which can be closed', async () => {
    const { id } = await storeSample(service, await service.signedUp('fast-reader'), smallFix)
    const context = await browser.newContext()
    const released = Promise.withResolvers<void>()
    await context.route('**/evidence*', (route) => released.promise.then(() => route.continue()))
    const page = await context.newPage()
    await page.goto(`${service.url}/read/articles/${id}?language=ja`)
    const number = page.locator('a.cite').first()
    for (let clicks = 0; clicks < 3; clicks++) await number.click()
    released.resolve()
    await page.locator('.evidence').first().waitFor()
    expect(await page.locator('.evidence').count()).toBe(1)
    await number.click()
    expect(await page.locator('.evidence').count()).toBe(0)
    await context.close()
  })

  test('hostile text in an article neither runs nor loads anything', async () => {
    const { id } = await generated(aPull(service), await service.signedUp('writer'), { language: 'en' })
    const hostile = [
      '<script>window.hurt = 1</script>',
      '<img src=x onerror="window.hurt = 1">',
      '[a](javascript:window.hurt=1) [b](data:text/html,<script>window.hurt=1</script>) ![c](https://evil.example/c.png)',
      '"><svg onload="window.hurt = 1"> &lt;script&gt; \u202eabc\u2066',
      '<style>@import "https://evil.example/x.css"</style><iframe src="https://evil.example"></iframe>',
    ].join('\n\n')
    const evidence = [{ path: hostile, side: 'new', startLine: 1, endLine: 1, url: 'javascript:window.hurt=1' }]
    const text = { aiGeneratedTitle: hostile, backgroundAndPurpose: hostile }
    const claims = {
      mainChanges: [
        {
          heading: hostile,
          basis: 'diff',
          figures: [],
          fileName: hostile,
          changeTypes: ['FIX'],
          description: hostile,
          evidence,
        },
      ],
      notablePoints: [{ importance: 1, basis: 'diff', categories: ['RISK'], point: hostile, evidence }],
    }
    const excerpts = {
      'javascript:window.hurt=1': { lines: [{ sign: '+', old: null, new: 1, text: hostile }], more: 0 },
    }
    await sql`
      update article_texts set
        content = (content::jsonb || ${JSON.stringify({ ...text, ...claims })}::jsonb)::text,
        title = ${hostile.slice(0, 300)}, excerpts = ${JSON.stringify(excerpts)}, markup = null
      where article_id = ${id}`.execute(service.ctx.db)

    const context = await browser.newContext({ locale: 'en' })
    const { foreignRequests, faults } = watch(context)
    const page = await context.newPage()
    await page.goto(`${service.url}/read/articles/${id}`)
    for (const summary of await page.locator('summary').all()) await summary.click()
    for (const link of await page.locator('article a').all())
      expect(await link.getAttribute('href')).not.toMatch(/^(javascript|data):/)
    expect(await page.evaluate('window.hurt')).toBeUndefined()
    expect(await page.locator('article :is(script, img, svg, iframe, style)').count()).toBe(0)
    expect(await page.locator('article').textContent()).not.toMatch(/[\u202e\u2066]/)
    await expectAccessible(page, 'hostile')
    expect(foreignRequests).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})

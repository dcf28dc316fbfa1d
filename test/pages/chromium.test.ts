import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { sql } from 'kysely'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { aPull, articlesOf, startWritingService } from '../support/articles.ts'
import { hasChromium, launch } from '../support/chromium.ts'
import { holding } from '../support/fakeModel.ts'
import { CLIENT } from '../support/fakeOAuth.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Where to put a picture of each page, for those who want to look. */
const pictures = process.env['PICTURES']
const LOOKS = [
  [390, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [1280, 'light'],
] as const

interface Axe {
  run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

describe.runIf(hasChromium)('in a browser', async () => {
  // What is here is looked through even where it is not run.
  if (!hasChromium) return
  const service = await startWritingService(CLIENT, { hasPages: true })
  const browser: Browser = await launch()
  const { generated } = articlesOf(service)
  afterAll(async () => {
    await browser.close()
    await service.close()
  })

  /** What a page asks of other hosts, and what goes wrong in it. */
  function watched(context: BrowserContext) {
    const elsewhere: string[] = []
    const faults: string[] = []
    const own = [service.url, service.host.url]
    context.on('request', (request) => {
      if (!own.some((origin) => request.url().startsWith(origin))) elsewhere.push(request.url())
    })
    context.on('weberror', (error) => void faults.push(String(error.error())))
    context.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())))
    return { elsewhere, faults }
  }

  /** On a phone and a desk, by day and by night: nothing out of reach for anybody, nothing wider than the screen. */
  async function expectGood(page: Page, name: string): Promise<void> {
    for (const [width, colorScheme] of LOOKS) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      // The policy of the page allows no script of anybody else's: this one comes in by the debugger.
      await page.evaluate(axe)
      const found = await page.evaluate(async () => {
        const { violations } = await (globalThis as never as { axe: Axe }).axe.run()
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      })
      expect(found, `${page.url()} ${width} ${colorScheme}`).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${width}-${colorScheme}.png`, fullPage: true })
    }
  }

  test('signs in, reads, unfolds a proof, likes, finds it again, switches language and signs out', async () => {
    const place = aPull(service)
    service.host.oauth.browser.login = 'hanako'
    const context = await browser.newContext({ locale: 'en' })
    const { elsewhere, faults } = watched(context)
    const page = await context.newPage()
    await page.goto(`${service.url}/`)
    await expectGood(page, 'home')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expectGood(page, 'sign-in')
    await page.getByRole('link', { name: /Sign in with/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()

    const { held, release } = holding()
    service.model.next(held)
    await page.getByLabel('Pull request URL').fill(`${service.host.url}/${place.replace('#', '/pull/')}`)
    await page.getByRole('button', { name: 'Read' }).click()
    await page.getByRole('progressbar').waitFor()
    await expectGood(page, 'writing')
    release()
    await page.locator('article').waitFor({ timeout: 30_000 })
    await page.locator('summary').first().click()
    await page.locator('.diff').first().waitFor()
    await expectGood(page, 'article')
    const like = page.getByRole('button', { name: /Like/ })
    expect(await like.getAttribute('aria-pressed')).toBe('false')
    await like.click()
    await page.locator('[aria-pressed="true"]').waitFor()
    expect(await like.textContent()).toContain('1')
    const address = page.url()
    const title = await page.locator('h1').textContent()

    await page.getByRole('link', { name: /My page/ }).click()
    await page.getByRole('link', { name: title ?? '' }).waitFor()
    await expectGood(page, 'me')
    await page.getByRole('button', { name: '日本語' }).click()
    await page.getByRole('heading', { name: 'お気に入り' }).waitFor()
    await expectGood(page, 'me-ja')
    await page.goto(address)
    expect(await page.locator('[aria-pressed="true"]').count()).toBe(1)
    await page.getByRole('button', { name: 'サインアウト' }).click()
    await page.getByRole('link', { name: 'サインイン' }).waitFor()
    await page.goto(`${service.url}/read/none`)
    await expectGood(page, 'not-found')
    expect(elsewhere).toEqual([])
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([])
    await context.close()
  })

  test('nothing in an article runs or loads, whatever it says', async () => {
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
      mainChanges: [{ fileName: hostile, changeTypes: ['FIX'], description: hostile, evidence }],
      notablePoints: [{ categories: ['RISK'], point: hostile, evidence }],
    }
    const excerpts = { 'javascript:window.hurt=1': { lines: [{ sign: '+', number: 1, text: hostile }], more: 0 } }
    await sql`
      update article_texts set
        content = (content::jsonb || ${JSON.stringify({ ...text, ...claims })}::jsonb)::text,
        title = ${hostile.slice(0, 300)}, excerpts = ${JSON.stringify(excerpts)}, markup = null
      where article_id = ${id}`.execute(service.ctx.db)

    const context = await browser.newContext({ locale: 'en' })
    const { elsewhere, faults } = watched(context)
    const page = await context.newPage()
    await page.goto(`${service.url}/read/articles/${id}`)
    for (const summary of await page.locator('summary').all()) await summary.click()
    for (const link of await page.locator('article a').all())
      expect(await link.getAttribute('href')).not.toMatch(/^(javascript|data):/)
    expect(await page.evaluate('window.hurt')).toBeUndefined()
    expect(await page.locator('article :is(script, img, svg, iframe, style)').count()).toBe(0)
    expect(await page.locator('article').textContent()).not.toMatch(/[\u202e\u2066]/)
    await expectGood(page, 'hostile')
    expect(elsewhere).toEqual([])
    expect(faults).toEqual([])
    await context.close()
  })
})

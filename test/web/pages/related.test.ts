import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { articlesOf } from '../../support/articles.ts'
import { openBrowser } from '../../support/browser.ts'
import { likesOf } from '../../support/likes.ts'
import { changed, repositoryOf } from '../../support/pulls.ts'
import { startService } from '../../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { generated } = articlesOf(service)
const token = await service.signedUp('reader')

/** The numbers of the pull requests whose articles are shown under an article, with the language if not Japanese. */
async function related(id: string | undefined, browser = openBrowser(service.url, 'ja')) {
  const response = await browser.visit(`/read/articles/${id}?language=ja`)
  expect(response.status).toBe(200)
  const [, section = ''] = (await response.text()).split('<section class="related"')
  return [...section.matchAll(/language=(\w\w)"[\s\S]*?<\/a> #(\d+)/g)].map(([, language, number]) =>
    language === 'ja' ? Number(number) : `${number} ${language}`,
  )
}

/** Writes about pull requests that change these files and have these labels. Returns the ids of the articles. */
async function written(name: string, pulls: { file: string; labels?: string[] }[], repository = {}) {
  const numbered = pulls.map(({ file, labels = [] }, i) => ({ number: i + 1, files: [changed(file)], labels }))
  repositoryOf(service, name, { ...repository, pulls: numbered })
  const ids: string[] = []
  for (const { number } of numbered) ids.push((await generated(`${name}#${number}`, token, { language: 'ja' })).id)
  return ids
}

test('shows five articles of the repository, those with the most in common first', async () => {
  const others = ['d.ts', 'e.ts', 'f.ts', 'g.ts'].map((file) => ({ file }))
  const label = 'Good "first" issue'
  const ids = await written('acme/related', [
    { file: 'src/a.ts' },
    { file: 'b.ts', labels: [label] },
    ...others,
    { file: 'src/a.ts', labels: [label] },
  ])
  await written('acme/elsewhere', [{ file: 'src/a.ts', labels: [label] }])
  await expect.poll(() => related(ids[6])).toEqual([1, 2, 6, 5, 4])
  await expect.poll(() => related(ids[0])).toEqual([7, 6, 5, 4, 3])

  const sources = [{ kind: 'issue', quote: 'It fails.', url: 'https://host.example.com/acme/related/issues/9' }]
  const reasons = [{ text: 'It failed.', basis: 'stated', sources, evidence: [] }]
  for (const id of [ids[2], ids[6]])
    await sql`
      update article_texts set content = (content::jsonb || ${JSON.stringify({ reasons })}::jsonb)::text
      where article_id = ${id}`.execute(service.ctx.db)
  service.ctx.indexing.soon()
  await expect.poll(() => related(ids[6])).toEqual([3, 1, 2, 6, 5])
})

test('finds an old article about the same file in a large repository', async () => {
  const ids = await written('acme/large', [
    { file: 'old.ts' },
    ...Array.from({ length: 31 }, (_, i) => ({ file: `${i}.ts` })),
    { file: 'old.ts' },
  ])
  await expect.poll(() => related(ids.at(-1))).toEqual([1, 32, 31, 30, 29])
})

test('shows each article once, in the language of the reader', async () => {
  const ids = await written('acme/languages', [{ file: 'a.ts' }, { file: 'a.ts' }])
  await generated('acme/languages#1', token, { language: 'en' })
  await expect.poll(() => related(ids[1])).toEqual([1])
  await expect.poll(() => related(ids[1], openBrowser(service.url, 'en'))).toEqual(['1 en'])
})

test('an article without related articles has no section for them', async () => {
  const [id] = await written('acme/alone', [{ file: 'a.ts' }])
  expect(await (await openBrowser(service.url).visit(`/read/articles/${id}`)).text()).not.toContain('class="related"')
})

test('once a private repository becomes public, related articles written before stay hidden', async () => {
  const name = 'acme/opened'
  const ids = await written(name, [{ file: 'a.ts' }, { file: 'a.ts' }], { private: true, members: ['reader'] })
  const member = openBrowser(service.url, 'ja')
  await member.submit('/sign-in', { token })
  await expect.poll(() => related(ids[1], member)).toEqual([1])
  likesOf(service).change({ place: `${name}#1` }, { private: false })
  const repository = service.host.repositories.find((one) => `${one.owner}/${one.name}` === name)
  repository?.pulls?.push({ number: 3, title: 'A change', files: [changed('a.ts')] })
  service.advance(10 * 60_000)
  const { id } = await generated(`${name}#3`, token, { language: 'ja' })
  for (const browser of [openBrowser(service.url, 'ja'), member]) expect(await related(id, browser)).toEqual([])
})

import { expect, test } from 'vitest'
import { changed } from '../support/pulls.ts'
import { outlined } from '../support/writing.ts'

const source = [
  '@@ -10,4 +10,5 @@ export class Counter {',
  '   add(item) {',
  '-    this.count += 1',
  '+    if (!this.seen.has(item)) this.count += 1',
  '+    this.seen.add(item)',
  '   }',
].join('\n')
const pull = {
  title: 'fix(counter)!: count each item once',
  files: [
    changed('src/counter.ts', { patch: source, additions: 2, deletions: 1 }),
    changed('package-lock.json', { additions: 1, deletions: 1 }),
  ],
}

test('the lead states the declared kind, the size and the place of the change', async () => {
  const [en, ja] = await Promise.all(['en', 'ja'].map((language) => outlined(pull, language)))
  const evidence = [{ path: 'src/counter.ts', side: 'new', startLine: 11, endLine: 12 }]
  expect(en?.lead).toMatchObject({
    text: 'The author marks this pull request as a fix (`fix`) and as a breaking change. It adds 3 lines and removes 2 in 2 files; the most changed source file is `src/counter.ts`.',
    basis: 'diff',
    evidence,
  })
  expect(ja?.lead).toMatchObject({
    text: '作者が修正（`fix`）、かつ破壊的変更としているプルリクエストです。2ファイルで3行を追加し、2行を削除しており、変更が最も多いソースファイルは `src/counter.ts` です。',
    basis: 'diff',
    evidence,
  })
})

test.each([
  [
    'en',
    ['docs/a/x.md', 'docs/a/b/y.md'],
    'changes only documentation. It adds 2 lines and removes 2 in 2 files, all under `docs/a`.',
  ],
  [
    'en',
    ['src/a.ts', 'test/a.test.ts'],
    'changes source code and tests. It adds 2 lines and removes 2 in 2 files; the most changed source file is `src/a.ts`.',
  ],
  ['en', ['src/a.ts'], 'changes only source code. It adds 1 line and removes 1 in `src/a.ts`.'],
  [
    'ja',
    ['docs/a/x.md', 'docs/a/b/y.md'],
    'ドキュメントだけを変更するプルリクエストです。`docs/a` 以下の2ファイルで2行を追加し、2行を削除しています。',
  ],
  [
    'ja',
    Array.from({ length: 9 }, (_, i) => `${i < 6 ? 'src/one' : 'lib/two'}/${i}.ts`),
    '変更ファイルが多いフォルダーは `src/one`（6件）と `lib/two`（3件）です。',
  ],
])(
  'in %s, the lead states the kinds or folders of the changed files if the author declares nothing',
  async (language, paths, text) => {
    const files = paths.map((path) => changed(path, { additions: 1, deletions: 1 }))
    expect((await outlined({ title: 'Something', files }, language)).lead?.text).toContain(text)
  },
)

const SOURCE = changed('src/a.ts')
test.each([
  ['feat(jwt): add rotation', '', [SOURCE], 'addition', 'Users of `jwt`', 'marks it `feat`'],
  ['fix: a leak', '', [SOURCE, changed('src/b.ts')], 'behavior', '`src/a.ts` and 1 other file', 'marks it `fix`'],
  ['perf: faster', '', [SOURCE], 'behavior', '`src/a.ts`', 'marks it `perf`'],
  ['Drop it', 'BREAKING CHANGE: call `b()` instead', [SOURCE], 'breaking', '`src/a.ts`', 'breaking change'],
  [
    'fix: typo',
    '',
    [changed('test/a.test.ts'), changed('README.md')],
    'none',
    'Developers',
    'Only tests and documentation',
  ],
  ['fix( ): a leak', '', [SOURCE], 'behavior', '`src/a.ts`', 'marks it `fix`'],
  ['feat: a client', '', [changed('lib/test/client.py')], 'addition', '`lib/test/client.py`', 'marks it `feat`'],
  ['ci: cache', '', [changed('.github/workflows/ci.yml')], 'none', 'Developers', 'Only the continuous integration'],
  ['chore: lint', '', [changed('.editorconfig')], 'none', 'Developers', 'marks it `chore`, and only configuration'],
])(
  'concludes the impact of "%s" from the declarations of the author and the changed files',
  async (title, body, files, ...expected) => {
    const { impact } = await outlined({ title, body, files })
    const [compatibility, affected, reason] = expected
    expect(impact).toMatchObject({ compatibility, since: null, evidence: [{ path: files[0]?.filename }] })
    expect(impact?.affected).toContain(affected)
    expect(impact?.reason).toContain(reason)
    expect(impact?.action).toBe(body === '' ? null : '“call `b()` instead”')
  },
)

test.each([
  ['nothing declared', { title: 'Fix it', files: [SOURCE] }],
  ['a refactoring of source code', { title: 'refactor: move', files: [SOURCE] }],
  ['files that the code host does not list', { title: 'docs: add', files: [changed('README.md')], changedFiles: 2 }],
  ['undeclared configuration', { title: 'Deploy', files: [changed('deploy.yml')] }],
  ['dependencies', { title: 'chore: bump', files: [changed('package.json')] }],
  [
    'a template that explains breaking changes',
    { title: 'Do', body: '<!--\nBREAKING CHANGE: which\n-->', files: [SOURCE] },
  ],
])('states no impact for %s', async (_, pull) => {
  expect((await outlined(pull)).impact).toBeNull()
})

test.each(['none', 'No breaking changes.', '- none', '*None*', '\r\nN/A', '破壊的変更はありません。'])(
  'does not take the note %j for a breaking change',
  async (note) => {
    const pull = { title: 'Do', body: `BREAKING CHANGE: ${note}`, files: [SOURCE] }
    expect((await outlined(pull)).impact).toBeNull()
  },
)

test.each([
  ['', 'Read the pull request before updating: its author does not say what to change.'],
  [
    'BREAKING CHANGE: `a()` was removed. Callers\r\nmust use `b()`.\r\n\r\nMore',
    '“`a()` was removed. Callers must use `b()`.”',
  ],
  ['BREAKING CHANGE:\nUse `b()` instead.\nCloses: #1', '“Use `b()` instead.”'],
  ['BREAKING CHANGE: use `b()`\n## Tests\nAll pass.', '“use `b()`”'],
  ['BREAKING CHANGE: use `b()`\nBREAKING CHANGE: use `c()`', '“use `b()`”'],
])('asks for action on a breaking change: %j', async (body, action) => {
  const { impact } = await outlined({ title: 'feat!: drop it', body, files: [SOURCE] })
  expect(impact).toMatchObject({ compatibility: 'breaking', action })
})

test.each([
  ['en', 'The commits are marked `chore`, and only configuration changed.'],
  ['ja', 'コミットで保守作業（`chore`）とされており、設定だけが変わっているためです。'],
])('in %s, says that the commits declare the type if only they do', async (language, reason) => {
  const commits = [{ message: 'chore: lint', author: 'a' }]
  const { impact } = await outlined({ title: 'Lint', commits, files: [changed('.editorconfig')] }, language)
  expect(impact?.reason).toBe(reason)
})

test('states the impact in Japanese', async () => {
  const { impact } = await outlined(
    { title: 'feat(jwt)!: rotate', body: 'BREAKING CHANGE: keys 「a」', files: [SOURCE] },
    'ja',
  )
  expect(impact).toMatchObject({
    affected: '作者が対象に挙げている `jwt` の利用者',
    compatibility: 'breaking',
    reason: '作者が破壊的変更としているためです。',
    action: '「keys 『a』」',
  })
})

test('quotes the author verbatim as the reason, sentence by sentence, without links', async () => {
  const body = [
    '- chore: format all files again\n- feat: a cache of rendered pages',
    'Pages were rendered **again**\n  for every reader. That took `90 %` of the time.',
    'Details are at https://evil.example/issue and more of them.',
    '> Somebody else said that this is a good idea.',
    'Closes #12345, closes #12346, fixes #12347',
  ].join('\n\n')
  const [en, ja] = await Promise.all(['en', 'ja'].map((language) => outlined({ ...pull, body }, language)))
  const quotes = [
    'Pages were rendered **again** for every reader. That took `90 %` of the time.',
    'feat: a cache of rendered pages',
  ]
  const url = expect.stringMatching(/\/paper\/pull\/1$/)
  const sources = quotes.map((quote) => ({ kind: 'description', quote, url }))
  expect(en?.reasons).toEqual([{ text: 'The author writes:', basis: 'stated', sources, evidence: [] }])
  expect(ja?.reasons).toMatchObject([{ text: '作者は次のように説明しています。', sources }])
})

test('quotes commit messages if there is no description', async () => {
  const message = 'Count once\n\nItems seen twice were counted twice.'
  const { reasons } = await outlined({ body: null, commits: [{ message, author: 'a' }] })
  expect(reasons).toMatchObject([
    {
      text: 'The commit messages say:',
      sources: [{ kind: 'commit', quote: 'Items seen twice were counted twice.' }],
    },
  ])
  expect(reasons[0]?.sources[0]?.url).toMatch(/\/pull\/1\/commits\/[0-9a-f]{40}$/)
})

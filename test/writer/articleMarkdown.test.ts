import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import type { StoredContent } from '../../src/writer/content.ts'
import { articleBlocks, articleMarkdown, joinBlocks } from '../../src/writer/render/articleMarkdown.ts'

const FILES = 'https://host.example.com/acme/shop/pull/2/files/abc'
const DIFF = `${FILES}#diff-${'0a'.repeat(32)}`

const facts = {
  ...{ repositoryFullName: 'acme/shop', prNumber: 2, hostPrUrl: 'https://host.example.com/acme/shop/pull/2' },
  ...{ title: 'feat: add a basket', authorLogin: 'alice', state: 'closed' as const },
  mergedAt: '2026-08-14T10:00:00.000Z',
}

const at = (startLine: number | null, endLine = startLine, path = 'src/a.ts') => ({
  ...{ path, side: 'new' as const, startLine, endLine },
  url: `${DIFF}${startLine === null ? '' : `R${startLine}`}`,
})
const removed = { ...at(7), side: 'old' as const, url: `${DIFF}L7` }

const empty: StoredContent = {
  ...{ aiGeneratedTitle: 'Baskets keep what shoppers choose', lead: null, impact: null, reasons: [] },
  ...{ backgroundAndPurpose: null, mainChanges: [], diagram: null, notablePoints: [], mismatches: [], terms: [] },
  ...{ summaryGeneratedAt: '2026-08-15T00:00:00.000Z', headSha: 'abc' },
  coverage: {
    ...{ changedFiles: 1, read: 1, partlyRead: 0, skipped: 0, notListed: 0, files: [], description: 'read' },
    ...{ commits: { read: 1, total: 1 }, comments: { read: 0, total: 0 }, secretsMasked: 0, claimsDropped: 0 },
  },
  generator: { kind: 'model', model: 'm', translatedFrom: null } as StoredContent['generator'],
}

const HEAD = `# Baskets keep what shoppers choose

[acme/shop#2](https://host.example.com/acme/shop/pull/2) · Merged 2026-08-14 · alice · AI-generated

Title of the pull request: feat: add a basket

`
const FOOT = '\n\nRead 1 of 1 changed file in full.\n'

const REFERENCES = /\n(?:\[e\d+\]: \S+\n)+$/

/** The Markdown of an article with these parts, without its head, the files that were read and the links of citations. */
function partsOf(parts: Partial<StoredContent>): string {
  const text = articleMarkdown(facts, { ...empty, ...parts }, 'en').replace(REFERENCES, '')
  expect([text.startsWith(HEAD), text.endsWith(FOOT)]).toEqual([true, true])
  return text.slice(HEAD.length, -FOOT.length)
}

type Change = StoredContent['mainChanges'][number]

function aChange(change: Partial<Change>): Partial<StoredContent> {
  const base = { heading: 'Adding', fileName: 'src/a.ts', changeTypes: ['FEAT' as const], description: 'It adds.' }
  return { mainChanges: [{ ...base, basis: 'diff', figures: [], evidence: [at(1)], ...change }] }
}

function aFigure(figure: Change['figures'][number]): Partial<StoredContent> {
  return aChange({ figures: [figure] })
}

const side = (texts: string[], numbers = texts.map((_, i) => i + 1)) => ({
  ...{ path: 'src/a.ts', ranges: [{ startLine: 1, endLine: texts.length }], url: `${DIFF}R1` },
  lines: texts.map((text, i) => ({ number: numbers[i] ?? 0, text })),
})

const A_CHANGE = `## Adding\n\n\`src/a.ts\` · Feature\n\nIt adds.\n\n([\`src/a.ts:1\`][e1])\n\n`

describe('the Markdown of', () => {
  test.each<[string, Partial<StoredContent>, string]>([
    [
      'a lead, with what it rests on and its citations',
      {
        lead: { text: 'Shoppers **keep**:\n\n- `baskets`', basis: 'inferred', evidence: [at(1, 3), at(1, 3), removed] },
      },
      `Shoppers **keep**:\n\n- \`baskets\`\n\n(inferred · [\`src/a.ts:1-3\`][e1], [\`src/a.ts:7\`][e2] (old))`,
    ],
    [
      'the impact',
      {
        impact: {
          ...{ affected: 'Shops', compatibility: 'breaking', reason: 'The `now`\noption is gone.', action: null },
          ...{ since: 'v2_beta_', evidence: [at(null)] },
        },
      },
      `- **Affects**: Shops\n- **Compatibility**: Breaking — The \`now\` option is gone. ([\`src/a.ts\`][e1])\n- **Action**: None\n- **Release**: v2_beta\\_`,
    ],
    [
      'reasons with their quotes',
      {
        reasons: [
          {
            ...{ text: 'They asked.', basis: 'stated', evidence: [] },
            sources: [{ kind: 'comment', quote: '`a<b>` <b>please</b> [x](y)', url: 'https://host.example.com/c(1)' }],
          },
          { text: 'HTTP says so.', basis: 'general', sources: [], evidence: [] },
        ],
        backgroundAndPurpose: 'not shown',
      },
      '## Why it changed\n\nThey asked.\n\n> “`a<b>` \\<b>please\\</b> \\[x\\](y)” — [Pull request comment](https://host.example.com/c%281%29)\n\nHTTP says so.\n\n(general knowledge)',
    ],
    [
      'the background of an outline',
      { backgroundAndPurpose: 'It was slow.' },
      '## Background and purpose\n\nIt was slow.',
    ],
    [
      'a change with code before and after it',
      aFigure({
        kind: 'code',
        before: side(['old()']),
        after: side(['now()', '\tend()'], [1, 9]),
        caption: 'See `now`.',
      }),
      `${A_CHANGE}See \`now\`.\n\n**Before** [\`src/a.ts:1\`][e1]\n\n\`\`\`ts\nold()\n\`\`\`\n\n**After** [\`src/a.ts:1-2\`][e1]\n\n\`\`\`ts\nnow()\n⋯\n  end()\n\`\`\``,
    ],
    [
      'code with a fence in it',
      aFigure({ kind: 'code', before: null, after: side(['````', 'a ``` b']), caption: '' }),
      `${A_CHANGE}**After** [\`src/a.ts:1-2\`][e1]\n\n\`\`\`\`\`ts\n\`\`\`\`\na \`\`\` b\n\`\`\`\`\``,
    ],
    [
      'an example',
      aFigure({ kind: 'example', codeLanguage: 'ts', text: 'shop()', note: 'How to call it.' }),
      `${A_CHANGE}How to call it.\n\n**Example** An illustration, not code of the project\n\n\`\`\`ts\nshop()\n\`\`\``,
    ],
    [
      'a table, with bars in its cells',
      aFigure({
        kind: 'table',
        caption: 'Cases',
        columns: ['Case', 'Now'],
        rows: [
          ['`a|b`', 'x\ny'],
          ['\\|', '\\\\|'],
        ],
      }),
      `${A_CHANGE}Cases\n\n| Case | Now |\n|---|---|\n| \`a\\|b\` | x y |\n| \\| | \\\\\\| |`,
    ],
    [
      'a diagram, as a list of its flows',
      {
        diagram: {
          caption: 'The way of a basket',
          nodes: ['shop', 'basket', 'till'].map((id) => ({ id, label: `The *${id}*` })),
          edges: [
            { from: 'shop', to: 'basket', label: 'adds' },
            { from: 'basket', to: 'till', label: null },
          ],
        },
      },
      '## How it flows\n\nThe way of a basket\n\n- The \\*shop\\* → The \\*basket\\*: adds\n- The \\*basket\\* → The \\*till\\*',
    ],
    [
      'points',
      {
        notablePoints: [
          { importance: 1, categories: ['RISK', 'PERF'], point: '1. Slow', basis: 'diff', evidence: [at(4)] },
        ],
      },
      `## What to watch out for\n\n**Risk · Performance**\n\n1. Slow\n\n([\`src/a.ts:4\`][e1])`,
    ],
    [
      'mismatches',
      { mismatches: [{ text: 'It does not.', quote: '# It is fast', evidence: [at(4)] }] },
      `## Where the description and the diff disagree\n\n> “# It is fast” — Pull request description\n\nIt does not.\n\n([\`src/a.ts:4\`][e1])`,
    ],
    ['terms', { terms: [{ term: '`ETag`', meaning: 'A\nmark' }] }, '## Terms\n\n- **`ETag`**: A mark'],
  ])('%s', (_, parts, expected) => {
    expect(partsOf(parts)).toBe(expected)
  })
})

const LINES: Partial<StoredContent['mismatches'][number]['evidence'][number]> = {
  lines: [
    { change: 'removed', oldNumber: 4, newNumber: null, text: 'a' },
    { change: 'added', oldNumber: null, newNumber: 4, text: '\u202eb' },
    { change: 'kept', oldNumber: 5, newNumber: 5, text: 'c' },
  ],
  linesOmitted: 2,
}

test('the links of citations stand once at the end, and a figure that cites other lines has a link of its own', () => {
  const lead = { text: 'Now.', basis: 'diff' as const, evidence: [at(1), removed] }
  const after = { ...side(['now()']), url: `${DIFF}R2` }
  const content = {
    ...empty,
    ...aFigure({ kind: 'code', before: null, after, caption: '' }),
    lead,
    mismatches: [{ text: 'No.', quote: 'Yes', evidence: [at(1)] }],
  }
  const text = articleMarkdown(facts, content, 'en')
  expect(text.endsWith(`\n\n[e1]: ${DIFF}R1\n[e2]: ${DIFF}L7\n`)).toBe(true)
  expect(text).toContain(`**After** [\`src/a.ts:1\`](${DIFF}R2)`)
})

test('cited lines follow the article, each citation once', () => {
  const evidence = [{ ...at(4), ...LINES }]
  const mismatch = { text: 'No.', quote: 'Yes', evidence }
  const text = articleMarkdown(facts, { ...empty, mismatches: [mismatch, mismatch] }, 'en')
  expect(text.slice(text.indexOf('## Cited lines'))).toBe(
    `## Cited lines\n\n[\`src/a.ts:4\`][e1]\n\n\`\`\`diff\n-a\n+⟨U+202E⟩b\n c\n\`\`\`\n\n[See 2 more lines on the code host](${DIFF}R4)\n\n[e1]: ${DIFF}R4\n`,
  )
})

test('an article without links names each cited file once, with its lines, and links it at the end', () => {
  const evidence = [at(1, 3), at(9), removed, at(null, null, 'b `c`.ts')]
  const lead = { text: 'Now.', basis: 'diff' as const, evidence }
  const text = joinBlocks(articleBlocks(facts, { ...empty, lead }, 'en', { hasLinks: false }))
  expect(text).toContain('Now.\n\n(`src/a.ts:1-3,9`, `src/a.ts:7` (old), ``b `c`.ts``)\n')
  expect(text.slice(text.indexOf('## Cited files'))).toBe(
    `## Cited files\n\n- [\`src/a.ts\`](${DIFF})\n- [\`\`b \`c\`.ts\`\`](${DIFF})\n`,
  )
})

test('the head says what the page of the article says, in the language of the article', () => {
  const files = [{ path: 'package-lock.json', kind: 'lockFile', state: 'skipped', reason: 'lockFile' }] as const
  const content = {
    ...empty,
    ...{ aiGeneratedTitle: 'feat: add a basket', stale: true },
    coverage: { ...empty.coverage, changedFiles: 2, files: [...files] },
    generator: { ...empty.generator, kind: 'outline' as const },
  }
  expect(articleMarkdown({ ...facts, mergedAt: null, state: 'open' }, content, 'ja')).toBe(
    `# feat: add a basket

[acme/shop#2](https://host.example.com/acme/shop/pull/2) · オープン · alice · 概要（AIなし）

**この記事の作成後に新しいコミットが追加されました。内容が古くなっている可能性があります。**

変更された 2 ファイルのうち 1 を全文読みました。

全文は読んでいないファイル: \`package-lock.json\` (lockFile)
`,
  )
})

test('the text of strangers cannot become HTML, links or headings', () => {
  const hostile = '<img src=x> [a](javascript:b) ![c](d) &lt; `<code>` \n# heading\u202e'
  const content = {
    ...empty,
    aiGeneratedTitle: hostile,
    reasons: [
      {
        ...{ text: 'Because.', basis: 'stated' as const, evidence: [at(1, 1, 'x](y) `<b>`')] },
        sources: [{ kind: 'commit' as const, quote: hostile, url: 'javascript:alert(1)' }],
      },
    ],
    diagram: { caption: '', nodes: [{ id: 'a', label: hostile }], edges: [] },
    mainChanges: aChange({ heading: hostile, fileName: '`<b>`\n# x' }).mainChanges ?? [],
  }
  const text = articleMarkdown({ ...facts, title: `${hostile}!`, authorLogin: '<b>' }, content, 'en')
  const root = fromMarkdown(text)
  const nodes = (node: object): { type: string; url?: string }[] => [
    node as { type: string },
    ...((node as { children?: object[] }).children ?? []).flatMap(nodes),
  ]
  const all = nodes(root)
  expect(all.filter(({ type }) => ['html', 'image'].includes(type))).toEqual([])
  expect(all.filter(({ type }) => type === 'heading')).toHaveLength(4)
  const urls = all.filter(({ type }) => ['link', 'definition'].includes(type)).map(({ url }) => url)
  expect(new Set(urls)).toEqual(new Set([facts.hostPrUrl, `${DIFF}R1`, '#']))
  expect(text).not.toContain('\u202e')
})

test('code of the first changes is more important than causes, and those than terms and cited lines', () => {
  const content = {
    ...empty,
    ...aFigure({ kind: 'example', codeLanguage: 'ts', text: 'shop()', note: '' }),
    reasons: [{ text: 'They asked.', basis: 'stated' as const, sources: [], evidence: [{ ...at(4), ...LINES }] }],
    notablePoints: [
      { importance: 1, categories: ['RISK' as const], point: 'Slow', basis: 'diff' as const, evidence: [at(5)] },
    ],
    terms: [{ term: 'ETag', meaning: 'A mark' }],
  }
  const blocks = articleBlocks(facts, content, 'en', { hasLinks: false }).toSorted((a, b) => a.rank - b.rank)
  const words = ['# Basket', 'It adds.', 'shop()', 'Slow', 'asked.', 'Read 1', 'ETag', '- [`src', '-a']
  expect(blocks.map(({ markdown }) => words.find((word) => markdown.includes(word)))).toEqual(words)
})

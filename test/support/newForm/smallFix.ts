import { fileWith } from './cutter.ts'
import type { Sample } from './sample.ts'

const RETRY = fileWith(
  'src/retry.ts',
  18,
  'export function retryDelay(response: Response, attempt: number): number {',
  `
   const header = response.headers.get('retry-after')
-  const seconds = Number(header)
-  if (header && seconds > 0) return seconds * 1000
+  const wait = header === null ? Number.NaN : waitMs(header)
+  if (wait > 0) return Math.min(wait, MAX_WAIT_MS)
   return backoff(attempt)
 }
 
+/** Seconds or an HTTP date: servers may send both. */
+function waitMs(header: string): number {
+  const seconds = Number(header)
+  return Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000
+}
+
 function backoff(attempt: number): number {
   return BASE_MS * 2 ** attempt
 }`,
)
const TEST = fileWith(
  'test/retry.test.ts',
  40,
  "describe('retryDelay', () => {",
  `
   expect(retryDelay(withHeader('3'), 1)).toBe(3000)
 })
+
+test('waits until a date', () => {
+  const date = new Date(Date.now() + 5000).toUTCString()
+  expect(retryDelay(withHeader(date), 1)).toBeGreaterThan(3000)
+})`,
)

/** About 500 characters of prose, one code figure, four citations. */
export const smallFix: Sample = {
  pull: {
    ...{
      title: 'fix: honor Retry-After dates',
      author: 'mika-sato',
      state: 'closed',
      mergedAt: '2026-08-14T09:12:00Z',
    },
    body: 'Some servers answer 429 with an HTTP date. We parsed it as a number, got NaN, and retried right away.',
    labels: ['bug', 'area: retry'],
    files: [RETRY, TEST],
  },
  content: ({ cite, code, hostPrUrl }) => ({
    aiGeneratedTitle: 'Retry-After が日付でも、指定の時刻まで待ってから再試行する',
    lead: {
      text: 'サーバーが `Retry-After` を日付で返すと、待たずに再試行していました。これからは指定された時刻まで待ちます。レート制限のある API を呼んでいるなら、更新するだけで 429 の連続が止まります。',
      basis: 'diff',
      evidence: [cite(RETRY.filename, 'new', ['const wait', 'if (wait'])],
    },
    impact: {
      affected: '429 や 503 を返す API を、再試行を有効にして呼んでいる人',
      compatibility: 'behavior',
      reason: '日付の `Retry-After` で待つようになり、応答までの時間が延びることがあります。',
      action: null,
      since: 'v4.2.1',
      evidence: [cite(RETRY.filename, 'new', 'if (wait')],
    },
    reasons: [
      {
        text: '`Retry-After` には、秒数のほかに日付も書けます。以前のコードは値を必ず数値として読んだため、日付は `NaN` になり、指定がないものとして扱われました。',
        basis: 'stated',
        sources: [
          {
            kind: 'description',
            quote:
              'Some servers answer 429 with an HTTP date. We parsed it as a number, got NaN, and retried right away.',
            url: hostPrUrl,
          },
        ],
        evidence: [cite(RETRY.filename, 'old', ['const seconds', 'if (header'])],
      },
    ],
    backgroundAndPurpose: '`Retry-After` には、秒数のほかに日付も書けます。',
    mainChanges: [
      {
        heading: '秒数として読めなければ、日付として読む',
        fileName: RETRY.filename,
        changeTypes: ['FIX'],
        description:
          '新しい `waitMs` は、まず値を秒数として読みます。数値でなければ日付として読み、現在時刻との差を待ち時間にします。過去の日付なら差は負になるので、従来どおり指数バックオフに戻ります。\n\nあわせて、待ち時間に `MAX_WAIT_MS` の上限が付きました。サーバーが遠い未来の日付を返しても、呼び出しが止まり続けることはありません。',
        basis: 'diff',
        figures: [
          code('待ち時間の決め方。上限は秒数の指定にも効く', {
            path: RETRY.filename,
            before: [['const header', 'return backoff']],
            after: [
              ['const header', 'return backoff'],
              ['function waitMs', 'return Number'],
            ],
          }),
        ],
        evidence: [
          cite(RETRY.filename, 'new', ['function waitMs', 'return Number']),
          cite(RETRY.filename, 'new', 'if (wait'),
        ],
      },
    ],
    diagram: null,
    notablePoints: [
      {
        importance: 1,
        categories: ['UX'],
        point:
          '秒数で指定された長い待ち時間も `MAX_WAIT_MS` で打ち切られます。上限より長い間隔を求める API では、まだ早い再試行になるかもしれません。',
        basis: 'inferred',
        evidence: [cite(RETRY.filename, 'new', 'if (wait')],
      },
    ],
    mismatches: [],
    terms: [],
  }),
}

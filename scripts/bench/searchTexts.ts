import { randomUUIDv7 } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../src/db/schema/schema.ts'
import { searchEntry } from '../../src/domain/search/entry.ts'
import { pick, seededRandom } from '../../test/support/seededRandom.ts'

/** Characters of made-up words. */
const IDEOGRAPHS = [
  ...'処理設定変更実行接続検証更新動作購読比較条件文字配列解除期限上応答時間再試並依存関係署名暗号例外移互換性警告記録索引権認証値型数利用者既用途',
  ...'通信送受取得削追加書込読出入力表示画面部品構造順序範囲最大小始終待機停止開閉結合分割変換圧縮展保護監視調査報知計測速度負荷均衡複製同期障害復旧',
]
const wordsIn = (text: string) => text.split(/\s+/)
/** Common words come first, because words at the start are drawn more often. */
const NOUNS = [
  ...wordsIn(
    '処理 設定 エラー ファイル 値 関数 リクエスト 応答 型 引数 テスト サーバー 変更 利用者 接続 検証 更新 キャッシュ',
  ),
  ...madeUpWords(4000),
]
const VERBS =
  wordsIn(`します しました されます されました になります できます できるようになりました なくなりました を確かめます
  を取り除きます を待ちます を返します を無視します を追加しました を直しました に変わりました を引き継ぎます`)
const JOINTS = wordsIn('が を の に で は と から まで より')
const NAMES = wordsIn('useEffect getSnapshot maxAge onRequest retryAfter parseBody headers config index.ts')
const ENGLISH =
  wordsIn(`the a of to in request response value when error is now before after client server header cache config
  type function returns throws waits retries option default timeout session token stream buffer route middleware`)

const SENTENCES_PER_SECTION = 15
const TEXTS_PER_REPOSITORY = 200
const BATCH = 500
const TABLES = ['repositories', 'pull_requests', 'articles', 'article_texts', 'article_cards', 'article_search']
/** The time between two texts: at this rate, 100,000 texts take a year. */
const SPACING_MS = 5 * 60_000
const FIRST_MS = 1_760_000_000_000
export const firstRepository = 2_000_000

/** Fills the database with made-up texts of the usual length. */
export async function addTexts(db: Kysely<Schema>, from: number, to: number, onAdded: (done: number) => void) {
  for (let start = from; start < to; start += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, to - start) }, (_, i) => rowAt(start + i))
    await insertRows(db, rows)
    onAdded(start + rows.length - from)
  }
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`truncate search_queue`.execute(connection)
    for (const table of TABLES) await sql`vacuum analyze ${sql.table(table)}`.execute(connection)
    // Otherwise Postgres would write the added rows to disk while searches are measured.
    await sql`checkpoint`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}

/** A sentence; common words are drawn more often. */
export function sentence(random: () => number): string {
  const common = (words: string[]) => words[Math.floor(random() ** 2.5 * words.length)] ?? ''
  const joint = () => (random() < 0.2 ? ` \`${pick(random, NAMES)}\` ` : common(JOINTS))
  const parts = Array.from({ length: 3 }, () => common(NOUNS) + joint())
  return `${parts.join('')}${common(NOUNS)}${common(VERBS)}。`
}

function madeUpWords(count: number): string[] {
  const random = seededRandom(1)
  return Array.from({ length: count }, () => pick(random, IDEOGRAPHS) + pick(random, IDEOGRAPHS))
}

function englishSentence(random: () => number): string {
  return `${Array.from({ length: 12 }, () => ENGLISH[Math.floor(random() ** 2 * ENGLISH.length)]).join(' ')}.`
}

function rowAt(n: number) {
  const random = seededRandom(n)
  const isEnglish = n % 5 === 0
  const sentences = (count: number) =>
    isEnglish
      ? Array.from({ length: count }, () => englishSentence(random)).join(' ')
      : Array.from({ length: count }, () => sentence(random)).join('')
  const title = sentences(1)
  const lead = { text: sentences(3), basis: 'diff', evidence: [] }
  const mainChanges = Array.from({ length: 4 }, (_, i) => ({
    ...{
      fileName: `src/part${n % 97}/file${n + i}.ts`,
      changeTypes: ['FIX'],
      basis: 'diff',
      figures: [],
      evidence: [],
    },
    ...{ heading: sentences(1), description: sentences(SENTENCES_PER_SECTION) },
  }))
  const content = JSON.stringify({
    ...{ aiGeneratedTitle: title, lead, impact: null, reasons: [], backgroundAndPurpose: null, diagram: null },
    ...{ notablePoints: [], mismatches: [], terms: [], mainChanges, coverage: { files: [] } },
  })
  const hostRepoId = firstRepository + Math.floor(n / TEXTS_PER_REPOSITORY)
  const entry = searchEntry({
    ...{ content, isPublic: true, hostRepoId, fullName: `owner/repo-${hostRepoId}`, number: n + 1 },
    ...{ title: 'a change', authorLogin: `author-${n % 300}`, labels: [`label-${n % 40}`] },
  })
  return {
    ...{ ...entry, id: randomUUIDv7(), language: isEnglish ? 'en' : 'ja', host_repo_id: hostRepoId, number: n + 1 },
    ...{ content, article_title: title, at: new Date(FIRST_MS + n * SPACING_MS) },
  }
}

type Row = ReturnType<typeof rowAt>

async function insertRows(db: Kysely<Schema>, rows: Row[]): Promise<void> {
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given(
        id uuid, language text, host_repo_id bigint, number integer, content text, article_title text, at timestamptz,
        title text, head text, body text, shown text, lexemes jsonb, change_types jsonb, reading_minutes integer
      )
    ), repository as (
      insert into repositories (host_repo_id, owner, name, private, verified_at)
      select distinct host_repo_id, 'owner', 'repo-' || host_repo_id, false, now() from given on conflict do nothing
    ), pull as (
      insert into pull_requests (host_repo_id, number, private, version, host_updated_at, document, title, author_login, host_url, host_created_at, head_sha)
      select host_repo_id, number, false, '2 x', at, '', 'a change', 'author', 'https://host.example/x/pull/1', at, 'x' from given
    ), article as (
      insert into articles (id, host_repo_id, number, created_at, updated_at) select id, host_repo_id, number, at, at from given
    ), written as (
      insert into article_texts (article_id, language, version, private, head_sha, kind, prompt_version, title, content, generated_at)
      select id, language, 1, false, 'x', 'model', '2', article_title, content, at from given
    ), card as (
      insert into article_cards (article_id, language, host_repo_id, created_at, merged_at, is_public, place, like_count, change_types, reading_minutes)
      select id, language, host_repo_id, at, at, true, 1, number % 50, array(select jsonb_array_elements_text(change_types)), reading_minutes from given
    )
    insert into article_search (article_id, language, host_repo_id, created_at, place, title, head, body, shown, lexemes)
    select id, language, host_repo_id, at, 1, title, head, body, shown,
      array_to_tsvector(array(select jsonb_array_elements_text(lexemes))) from given`.execute(db)
}

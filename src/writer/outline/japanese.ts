import type { FileKind } from '../reading/kinds.ts'
import type { Run } from './citations.ts'
import type { Extent, Facts, Finding, Group, Words } from './words.ts'

const KINDS: Record<FileKind, string> = {
  source: 'ソース',
  test: 'テスト',
  docs: '文書',
  configuration: '設定',
  generated: '生成物',
  lockFile: 'ロックファイル',
  vendored: '外部コードの写し',
  minified: '圧縮済みコード',
  snapshot: 'スナップショット',
  binary: 'バイナリ',
}

const FINDINGS: Record<Finding, string> = {
  definitionsAdded: '追加された定義',
  definitionsRemoved: '削除された定義',
  definitionsChanged: '定義の行が変わったもの',
  testsAdded: '追加されたテストケース',
  testsRemoved: '削除されたテストケース',
  testsChanged: '宣言の行が変わったテストケース',
  sectionsAdded: '追加された見出し',
  sectionsRemoved: '削除された見出し',
  sectionsChanged: '位置や書式が変わった見出し',
  places: '変更箇所の付近',
}

const GROUPS: Record<Group, string> = {
  security: '認証・セッション・秘密情報などに関わる名前のファイルに触れている',
  migrations: 'マイグレーションのファイルが変わっている',
  manifests: '依存関係を宣言するファイルが変わっている',
  workflows: 'CIのファイルが変わっている',
  removed: '削除されたファイルがある',
  renamed: '名前または場所の変わったファイルがある',
}

const number = new Intl.NumberFormat('ja')

function size({ additions, deletions }: { additions: number; deletions: number }): string {
  if (deletions === 0) return `${number.format(additions)}行を追加`
  if (additions === 0) return `${number.format(deletions)}行を削除`
  return `${number.format(additions)}行を追加、${number.format(deletions)}行を削除`
}

function extent(file: Extent): string {
  const hasLines = file.additions + file.deletions > 0
  const places = file.places > 1 ? `(${number.format(file.places)}か所)` : ''
  const lines = hasLines ? `${size(file)}${places}` : ''
  return `${statusOf(file, lines)}。${patchNote(file)}`
}

function statusOf({ status, formerPath, additions, deletions, patch }: Extent, lines: string): string {
  const origin = formerPath && `${formerPath} から`
  if (status === 'added') return additions > 0 ? `新規ファイル(${number.format(additions)}行)` : '新規ファイル'
  if (status === 'removed') return deletions > 0 ? `ファイルを削除(${number.format(deletions)}行)` : 'ファイルを削除'
  if (status === 'renamed')
    return `${origin}改名${lines ? `し、${lines}` : patch === 'none' ? '。内容に変更はない' : ''}`
  if (status === 'copied') return `${origin}複製${lines ? `し、${lines}` : ''}`
  return lines || (patch === 'none' ? '変更あり(行の増減はない)' : '変更あり')
}

function patchNote({ patch }: Extent): string {
  if (patch === 'binary') return 'バイナリファイルのため、行の差分はない。'
  if (patch === 'partial') return '差分は一部しか得られていない。'
  return patch === 'tooLarge' || patch === 'leftOut' ? '差分は得られていない。' : ''
}

function facts({ files, additions, deletions, kinds, filesLeftOut, patchesLeftOut }: Facts): string {
  const byKind = kinds
    .map(([kind, count]) => (kinds.length > 1 ? `${KINDS[kind]}${number.format(count)}` : KINDS[kind]))
    .join('、')
  const missing = [
    filesLeftOut > 0 ? `うち${number.format(filesLeftOut)}ファイルは一覧を得られていない。` : '',
    patchesLeftOut > 0 ? `${number.format(patchesLeftOut)}ファイルの差分は、全部または一部が得られていない。` : '',
  ]
  const changes = additions + deletions > 0 ? `、${size({ additions, deletions })}` : ''
  return `変更は${number.format(files)}ファイル${byKind && `(${byKind})`}${changes}。${missing.join('')}`
}

function breaking(note: string | null): string {
  return note ? `作者は破壊的変更であると記している: ${note}` : '作者は破壊的変更であると記している。'
}

function linesOf({ sign, first, last }: Run): string {
  const lines = first === last ? `${first}行目` : `${first}〜${last}行目`
  return sign === '-' ? `変更前の${lines}` : lines
}

export const JAPANESE: Words = {
  untitled: '無題のプルリクエスト',
  types: {
    feat: '新機能',
    fix: '修正',
    docs: '文書',
    test: 'テスト',
    perf: '性能',
    refactor: 'リファクタリング',
    build: 'ビルド',
    ci: 'CI',
    chore: '保守',
    style: '体裁',
    revert: '取り消し',
  },
  headline: (type, scope, isBreaking, text) =>
    `${type}${isBreaking ? '・破壊的変更' : ''}${scope ? `(${scope})` : ''}: ${text}`,
  quote: (text) => `「${text.replaceAll('「', '『').replaceAll('」', '』')}」`,
  authorWrites: '作者の説明:',
  commitsSay: 'コミットメッセージの説明:',
  commitSubjects: 'コミットの題:',
  list: (names, more) => (more > 0 ? `${names.join('、')} ほか${number.format(more)}件` : names.join('、')),
  sentences: (sentences) => sentences.join(''),
  facts,
  extent,
  finding: (finding, names) => `${FINDINGS[finding]}: ${names}。`,
  biggest: (run, place) => `最大の変更は${linesOf(run)}${place && `、${place} の付近`}。`,
  replaced: (before, after) => `${before} を ${after} に変更。`,
  lineAdded: (line) => `追加行: ${line}。`,
  lineRemoved: (line) => `削除行: ${line}。`,
  breaking,
  group: (group, count, names) => `${GROUPS[group]}(${number.format(count)}件): ${names}。`,
  renaming: (from, to) => `${from} → ${to}`,
  untested: (count, names) =>
    `ソース${number.format(count)}ファイルに行が追加されたが、テストファイルの変更はない: ${names}。既存のテストで確かめられているかは、差分からは分からない。`,
  largeDeletion: (deletions, additions, names) =>
    `残るファイルからの削除が多い(${number.format(deletions)}行。追加は${number.format(additions)}行)。主なもの: ${names}。`,
  leftToDo: (count, isAll, line) =>
    `\`TODO\` または \`FIXME\` を含む行が追加されている(${isAll ? '' : '少なくとも'}${number.format(count)}件): ${line}。`,
}

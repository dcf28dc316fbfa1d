import type { Run } from './citations.ts'
import { KINDS, number, spaced, whatWasDone } from './japaneseCounts.ts'
import { JAPANESE_SUMMARY } from './japaneseSummary.ts'
import type { ChangeKind, Extent, Facts, Group, Words } from './words.ts'

const FINDINGS: Record<Exclude<ChangeKind, 'places'>, string> = {
  definitionsAdded: '追加された定義',
  definitionsRemoved: '削除された定義',
  definitionsChanged: '宣言の行が変わった定義',
  testsAdded: '追加されたテストケース',
  testsRemoved: '削除されたテストケース',
  testsChanged: '宣言の行が変わったテストケース',
  sectionsAdded: '追加された見出し',
  sectionsRemoved: '削除された見出し',
  sectionsChanged: '位置や書式が変わった見出し',
}

const GROUPS: Record<Group, string> = {
  security: '認証・セッション・秘密情報などに関わる名前のファイルが変わっています',
  migrations: 'マイグレーションのファイルが変わっています',
  manifests: '依存関係を宣言するファイルが変わっています',
  workflows: 'CI のファイルが変わっています',
  removed: '削除されたファイルがあります',
  renamed: '名前または場所が変わったファイルがあります',
}

function extent(file: Extent): string {
  const hasLines = file.additions + file.deletions > 0
  const places = file.places > 1 ? `（${number.format(file.places)}か所）` : ''
  const lines = hasLines ? `${whatWasDone(file)}しています${places}` : ''
  return `${statusOf(file, lines)}。${patchNote(file)}`
}

function statusOf({ status, formerPath, additions, deletions, patch }: Extent, lines: string): string {
  const origin = formerPath && `${formerPath} から`
  if (status === 'added') return additions > 0 ? `${number.format(additions)}行の新規ファイルです` : '新規ファイルです'
  if (status === 'removed') return `ファイルを削除しています${deletions > 0 ? `（${number.format(deletions)}行）` : ''}`
  if (status === 'renamed') {
    const renamed = `${origin}改名`
    if (lines) return `${renamed}し、${lines}`
    return `${renamed}しています${patch === 'none' ? '。内容に変更はありません' : ''}`
  }
  if (status === 'copied') return `${origin}複製し${lines ? `、${lines}` : 'ています'}`
  return lines || (patch === 'none' ? '変更がありますが、行の増減はありません' : '変更があります')
}

function patchNote({ patch }: Extent): string {
  if (patch === 'binary') return 'バイナリファイルのため、行の差分はありません。'
  if (patch === 'partial') return '差分は一部しか得られていません。'
  return patch === 'tooLarge' || patch === 'leftOut' ? '差分は得られていません。' : ''
}

function facts({ files, additions, deletions, kinds, filesLeftOut, patchesLeftOut }: Facts): string {
  const byKind = kinds
    .map(([kind, count]) => (kinds.length > 1 ? `${KINDS[kind]}${number.format(count)}` : KINDS[kind]))
    .join('、')
  const missing = [
    filesLeftOut > 0 ? `うち${number.format(filesLeftOut)}ファイルは一覧を得られていません。` : '',
    patchesLeftOut > 0 ? `${number.format(patchesLeftOut)}ファイルの差分は、全部または一部が得られていません。` : '',
  ]
  const changes = additions + deletions > 0 ? `で、${whatWasDone({ additions, deletions })}しています` : 'です'
  return `変更は${number.format(files)}ファイル${byKind && `（${byKind}）`}${changes}。${missing.join('')}`
}

function linesOf({ sign, first, last }: Run): string {
  const lines = first === last ? `${first}行目` : `${first}〜${last}行目`
  return sign === '-' ? `変更前の${lines}` : lines
}

export const JAPANESE: Words = {
  ...JAPANESE_SUMMARY,
  untitled: '無題のプルリクエスト',
  headline: (scope, isBreaking, text) =>
    isBreaking ? `破壊的変更${scope ? `（${scope}）` : ''}：${text}` : `${scope ? `${scope}: ` : ''}${text}`,
  quote: (text) => `「${text.replaceAll('「', '『').replaceAll('」', '』')}」`,
  explains: {
    description: '作者は次のように説明しています。',
    messages: 'コミットメッセージでは次のように説明されています。',
    subjects: 'コミットの件名は次のとおりです。',
  },
  list: (names, more) => (more > 0 ? `${names.join('、')} ほか${number.format(more)}件` : names.join('、')),
  sentences: (sentences) => sentences.join(''),
  facts,
  extent,
  finding: (finding, names) =>
    finding === 'places'
      ? `変更は ${spaced(names)}の付近にあります。`
      : `${FINDINGS[finding]}は ${spaced(names)}です。`,
  biggest: (run, place) => `最大の変更は${linesOf(run)}${place && `、${place} の付近`}です。`,
  replaced: (before, after) => `${before} を ${after} に変更しています。`,
  lineAdded: (line) => `${line} の行を追加しています。`,
  lineRemoved: (line) => `${line} の行を削除しています。`,
  breaking: (note) => `作者は破壊的変更であると記しています。${note ?? ''}`,
  group: (group, count, names) => `${GROUPS[group]}（${number.format(count)}件）：${names}`,
  renaming: (from, to) => `${from} → ${to}`,
  untested: (count, names) =>
    `ソース${number.format(count)}ファイルに行が追加されていますが、テストファイルは変わっていません：${names}。既存のテストで確認できるかどうかは、差分からは分かりません。`,
  largeDeletion: (deletions, additions, names) =>
    `残るファイルからの削除が多くなっています（${number.format(deletions)}行。追加は${number.format(additions)}行）。主なもの：${names}`,
  leftToDo: (count, isAll, line) =>
    `\`TODO\` または \`FIXME\` を含む行が追加されています（${isAll ? '' : '少なくとも'}${number.format(count)}件）：${line}`,
}

import type { KindWithoutEffect } from './summaryWords.ts'

export const KINDS: Record<KindWithoutEffect, string> = {
  workflow: 'CI の設定',
  source: 'ソース',
  test: 'テスト',
  docs: 'ドキュメント',
  configuration: '設定',
  generated: '生成されたファイル',
  lockFile: 'ロックファイル',
  vendored: '外部ライブラリのコード',
  minified: '圧縮されたコード',
  snapshot: 'スナップショット',
  binary: 'バイナリ',
}

export const number = new Intl.NumberFormat('ja')

/** The numbers of added and removed lines, as the start of a sentence. The caller adds the verb ending. */
export function whatWasDone({ additions, deletions }: { additions: number; deletions: number }): string {
  if (deletions === 0) return `${number.format(additions)}行を追加`
  if (additions === 0) return `${number.format(deletions)}行を削除`
  return `${number.format(additions)}行を追加し、${number.format(deletions)}行を削除`
}

export function kindsIn(kinds: KindWithoutEffect[]): string {
  return kinds.map((kind) => KINDS[kind]).join(kinds.length === 2 ? 'と' : '、')
}

/** Adds a space after names that end in a code span, to separate it from the next word. */
export function spaced(names: string): string {
  return names.endsWith('`') ? `${names} ` : names
}

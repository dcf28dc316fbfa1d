import type { CommitType, Declaration } from '../facts/conventional.ts'
import type { FileKind } from '../reading/kinds.ts'
import { kindsIn, number, spaced, whatWasDone } from './japaneseCounts.ts'
import type { KindWithoutEffect, LeadFacts, SummaryWords } from './summaryWords.ts'

const FILES: Record<FileKind, string> = {
  source: 'ソースファイル',
  test: 'テストファイル',
  docs: 'ドキュメント',
  configuration: '設定ファイル',
  generated: '生成されたファイル',
  lockFile: 'ロックファイル',
  vendored: '外部ライブラリのファイル',
  minified: '圧縮されたファイル',
  snapshot: 'スナップショット',
  binary: 'バイナリファイル',
}

const TYPES: Record<CommitType, string> = {
  feat: '新機能',
  fix: '修正',
  docs: 'ドキュメントの変更',
  test: 'テストの変更',
  perf: '性能の改善',
  refactor: 'リファクタリング',
  build: 'ビルドの変更',
  ci: 'CI の変更',
  chore: '保守作業',
  style: '体裁の変更',
  revert: '変更の取り消し',
}

const DID = { added: '追加', removed: '削除', changed: '変更' }

function typeOf({ type }: Declaration): string {
  return `${TYPES[type]}（\`${type}\`）`
}

/** Who declares the change type, as the start of a sentence. The caller adds the verb ending. */
function marked(declaration: Declaration): string {
  const type = typeOf(declaration)
  return declaration.by === 'title' ? `作者が${type}として` : `コミットで${type}とされて`
}

function kindOfChange({ declaration, isBreaking, kinds }: LeadFacts): string {
  if (declaration?.by === 'title')
    return `作者が${typeOf(declaration)}${isBreaking ? '、かつ破壊的変更' : ''}としているプルリクエストです。`
  const breaking = isBreaking ? '、作者が破壊的変更としている' : ''
  if (declaration)
    return `コミットで${typeOf(declaration)}と${breaking ? `され${breaking}` : 'されている'}プルリクエストです。`
  const what = `${kindsIn(kinds)}${kinds.length === 1 ? 'だけ' : ''}`
  return `${what}を変更${breaking ? `し${breaking}` : 'する'}プルリクエストです。`
}

function sizeAndPlace(facts: LeadFacts): string {
  const { files, place } = facts
  const hasLines = facts.additions + facts.deletions > 0
  const count = `${number.format(files)}ファイル`
  const did = (where: string, ending: string) =>
    hasLines ? `${where}で${whatWasDone(facts)}${ending}` : `${where}を変更${ending}`
  if (!place) return `${did(count, 'しています')}。`
  if (place.in === 'file') return `${did(`${place.path} `, 'しています')}。`
  if (place.in === 'folder') return `${did(`${place.path} 以下の${count}`, 'しています')}。`
  if (place.in === 'mostChanged')
    return `${did(count, 'しており')}、変更が最も多い${FILES[place.kind]}は ${place.path} です。`
  const folders = place.folders.map(({ path, files: of }) => `${path}（${number.format(of)}件）`)
  return `${did(count, 'しており')}、変更ファイルが多いフォルダーは ${folders.join('と ')}です。`
}

/** Names the people whom a change affects if it changes only files of these kinds. */
function affectedBy(kinds: KindWithoutEffect[]): string {
  const developers = kinds.some((kind) => kind !== 'docs') ? ['プロジェクトの開発者'] : []
  return [...developers, ...(kinds.includes('docs') ? ['ドキュメントの読者'] : [])].join('と')
}

export const JAPANESE_SUMMARY: SummaryWords = {
  maxLead: 220,
  maxHeading: 60,
  maxName: 40,
  lead: (facts) => `${kindOfChange(facts)}${sizeAndPlace(facts)}`,
  impact: {
    breaking: '作者が破壊的変更としているためです。',
    readFirst: '更新の前にプルリクエストを確認してください。必要な対応は書かれていません。',
    declared: (declaration) => `${marked(declaration)}いるためです。互換性そのものは確認していません。`,
    none: (kinds, declaration) => {
      const only = `${kindsIn(kinds)}だけが変わっているためです。`
      const isDeclared = kinds.includes('configuration') && declaration
      return {
        affected: affectedBy(kinds),
        reason: isDeclared ? `${marked(declaration)}おり、${only}` : only,
      }
    },
    usersOfScope: (scope) => `作者が対象に挙げている ${scope} の利用者`,
    usersOfFiles: (path, others) =>
      others > 0
        ? `${path} など${number.format(others + 1)}ファイルで変わった機能の利用者`
        : `${path} で変わった機能の利用者`,
  },
  heading: {
    file: (did, kind, name) => `${FILES[kind]} ${name} を${DID[did]}`,
    renamed: (from, to) => `${from} を ${to} に改名`,
    moved: (name, folder) => `${name} を ${folder} に移動`,
    names: (added, removed, within) => {
      if (!added) return `${spaced(removed)}を削除`
      return `${within && `${within} に `}${spaced(added)}を追加${removed && `、${spaced(removed)}を削除`}`
    },
    changed: (names) => `${spaced(names)}を変更`,
    single: { tests: (name) => `テストケース ${name} を追加`, sections: (name) => `見出し ${name} を追加` },
    counted: {
      tests: (count, fileName) => `${fileName} にテストケースを${number.format(count)}件追加`,
      sections: (count, fileName) => `${fileName} に見出しを${number.format(count)}件追加`,
    },
  },
}

import { fileWith } from './cutter.ts'
import type { Sample } from './sample.ts'

const LOAD = fileWith(
  'src/config/load.ts',
  31,
  'export async function loadConfig(folder: string): Promise<Config> {',
  `
 export interface LoadOptions {
   folder: string
+  /** The name after --profile, or of LANTERN_PROFILE. */
+  profile?: string
 }
 
-export async function loadConfig({ folder }: LoadOptions): Promise<Config> {
+export async function loadConfig({ folder, profile }: LoadOptions): Promise<Config> {
   const text = await readFile(join(folder, 'lantern.yaml'), 'utf8')
-  const given = parse(text)
-  const fromEnvironment = overridesIn(process.env)
-  return validated({ ...DEFAULTS, ...given, ...fromEnvironment })
+  const { profiles = {}, ...common } = parse(text)
+  const chosen = profile ?? process.env['LANTERN_PROFILE']
+  const own = chosen === undefined ? {} : profileOf(profiles, chosen)
+  return validated(merged(DEFAULTS, common, own, overridesIn(process.env)))
 }`,
)
const PROFILE = fileWith(
  'src/config/profile.ts',
  1,
  '',
  `
+import { ConfigError } from './errors.ts'
+
+type Settings = Record<string, unknown>
+
+/** A typo must not start the server with the settings of another environment. */
+export function profileOf(profiles: Record<string, Settings>, name: string): Settings {
+  const found = profiles[name]
+  if (found) return found
+  const known = Object.keys(profiles).join(', ') || 'none'
+  throw new ConfigError(\`There is no profile "\${name}". Known profiles: \${known}.\`)
+}
+
+/** Later settings win. Objects are merged key by key, lists are replaced. */
+export function merged(...all: Settings[]): Settings {
+  const result: Settings = {}
+  for (const settings of all)
+    for (const [key, value] of Object.entries(settings))
+      result[key] = isObject(value) && isObject(result[key]) ? merged(result[key], value) : value
+  return result
+}
+
+function isObject(value: unknown): value is Settings {
+  return typeof value === 'object' && value !== null && !Array.isArray(value)
+}`,
)
const CLI = fileWith(
  'src/cli.ts',
  12,
  'const { values } = parseArgs({',
  `
   options: {
     port: { type: 'string', short: 'p' },
+    profile: { type: 'string' },
     watch: { type: 'boolean', default: false },
   },
 })
-const config = await loadConfig({ folder: process.cwd() })
+const config = await loadConfig({ folder: process.cwd(), profile: values.profile })`,
)

/** About 1,700 characters of prose, three figures, ten citations. */
export const feature: Sample = {
  pull: {
    ...{ title: 'feat(config): add profiles', author: 'lena-k', state: 'open', mergedAt: null },
    body: 'People keep three copies of lantern.yaml that differ in two lines. Profiles keep them in one file.',
    labels: ['enhancement', 'area: config', 'needs docs'],
    files: [LOAD, PROFILE, CLI],
  },
  content: ({ cite, code, example, table, hostPrUrl }) => ({
    aiGeneratedTitle: '環境ごとの設定を、1 つの lantern.yaml にプロファイルとして書けるように',
    lead: {
      text: '開発用と本番用の違いを、`lantern.yaml` の `profiles` にまとめて書けるようになりました。起動時に `--profile` で名前を選ぶと、共通の設定に重ねて使われます。設定ファイルを環境の数だけ複製している人に役立つ変更です。',
      basis: 'diff',
      evidence: [cite(LOAD.filename, 'new', ['const { profiles', 'const own']), cite(CLI.filename, 'new', 'profile:')],
    },
    impact: {
      affected: '複数の環境で `lantern serve` を動かしている人',
      compatibility: 'addition',
      reason: 'プロファイルを選ばなければ、設定の読み方は変わりません。ただし入れ子の値の扱いだけは変わります。',
      action: '`profiles` という名前の独自の項目を使っている場合は、別の名前に変えてください。',
      since: null,
      evidence: [cite(LOAD.filename, 'new', 'const { profiles')],
    },
    reasons: [
      {
        text: 'これまで環境ごとに変えられたのは、環境変数で上書きできる一部の項目だけでした。そのため、ほとんど同じ設定ファイルを環境の数だけ複製し、手で揃え続ける運用になりがちでした。片方だけを直し忘れて、本番でだけ起きる不具合の原因になったという報告もあります。',
        basis: 'stated',
        sources: [
          {
            kind: 'description',
            quote: 'People keep three copies of lantern.yaml that differ in two lines. Profiles keep them in one file.',
            url: hostPrUrl,
          },
        ],
        evidence: [cite(LOAD.filename, 'old', ['const given', 'return validated'])],
      },
      {
        text: '環境変数だけで切り替える案は、値が文字列に限られ、一覧や入れ子の項目を表せないため採られませんでした。ファイルを分けて読み込む案も検討されましたが、どの値が最後に効くのかを 1 か所で見渡せなくなるとして見送られています。',
        basis: 'stated',
        sources: [
          {
            kind: 'issue',
            quote:
              'Environment variables cannot express a list of origins, and quoting JSON in a unit file is miserable.',
            url: `${hostPrUrl.replace(/pull\/\d+$/, 'issues/12')}`,
          },
        ],
        evidence: [],
      },
    ],
    backgroundAndPurpose: 'これまで環境ごとに変えられたのは、環境変数で上書きできる一部の項目だけでした。',
    mainChanges: [
      {
        heading: '共通の設定に、選んだプロファイルを重ねる',
        fileName: LOAD.filename,
        changeTypes: ['FEAT'],
        description:
          '`loadConfig` は、ファイルから `profiles` を取り出し、残りを共通の設定として扱います。名前は `--profile` で渡すか、環境変数 `LANTERN_PROFILE` に入れておきます。両方あれば `--profile` が優先されます。\n\n重ねる順は、既定値、共通の設定、プロファイル、環境変数です。あとのものほど強いので、コンテナの環境変数で最後に上書きするこれまでの使い方は、そのまま残ります。プロファイルの中に書ける項目は共通の設定と同じで、専用の書式を覚える必要はありません。\n\n重ね終えた結果は、これまでと同じ検査を通ります。存在しない項目や型の違う値がプロファイルの中にあれば、起動の時点でエラーになります。選ばれていないプロファイルの中身は検査されないので、書き間違いは使うときまで見つかりません。',
        basis: 'diff',
        figures: [
          example(
            'yaml',
            'port: 8080\ncache:\n  seconds: 60\n  folder: .cache\n\nprofiles:\n  production:\n    port: 80\n    cache:\n      seconds: 3600',
            '`lantern serve --profile production` では、ポートが 80、キャッシュが 1 時間になる。`folder` は共通の値のまま',
          ),
          code('最後の 1 行が重ねる順を決めている', {
            path: LOAD.filename,
            before: [['export async function', 'return validated']],
            after: [['export async function', 'return validated']],
          }),
        ],
        evidence: [
          cite(LOAD.filename, 'new', ['const { profiles', 'return validated']),
          cite(CLI.filename, 'new', 'const config'),
        ],
      },
      {
        heading: '入れ子の値はキーごとに、一覧は丸ごと置き換える',
        fileName: PROFILE.filename,
        changeTypes: ['FEAT'],
        description:
          '以前はオブジェクトの展開で重ねていたため、`cache` の一部だけを書くと、残りのキーは失われました。新しい `merged` は入れ子をたどり、書かれたキーだけを差し替えます。深さに制限はなく、既定値、共通の設定、プロファイルのどの組み合わせでも同じ規則が働きます。\n\n一覧は足し合わせません。許可するオリジンのように、短くすること自体に意味がある項目が多いためです。共通の一覧に 1 件だけ足したいときは、プロファイルにすべての要素を書き直してください。\n\n値を取り消す書き方はありません。共通の設定で有効にした項目を、あるプロファイルでだけ既定値に戻したいときは、その既定値を明示します。',
        basis: 'diff',
        figures: [
          table(
            '同じキーが 2 か所にあるときの結果',
            ['値の種類', '共通の設定', 'プロファイル', '結果'],
            [
              ['数値・文字列', '`port: 8080`', '`port: 80`', '`80`'],
              [
                'オブジェクト',
                '`cache: {seconds: 60, folder: .cache}`',
                '`cache: {seconds: 3600}`',
                '`{seconds: 3600, folder: .cache}`',
              ],
              ['一覧', '`origins: [a, b]`', '`origins: [c]`', '`[c]`'],
              ['書かれていない', '`watch: true`', 'なし', '`true`'],
            ],
          ),
        ],
        evidence: [
          cite(PROFILE.filename, 'new', ['export function merged', 'return result']),
          cite(PROFILE.filename, 'new', ['function isObject', 'return typeof']),
        ],
      },
      {
        heading: '知らない名前では起動しない',
        fileName: PROFILE.filename,
        changeTypes: ['FEAT'],
        description:
          '指定したプロファイルが見つからなければ、既知の名前を並べたエラーで止まります。綴りを間違えたまま、意図しない環境の設定でサーバーが動くことを防ぐためです。\n\n環境変数 `LANTERN_PROFILE` で渡した名前も同じように調べられます。空の文字列を入れた場合も「名前が空のプロファイル」を探しに行くため、使わないときは変数そのものを消しておきます。`profiles` の項目がない設定ファイルで名前を指定したときは、既知の名前として `none` と表示されます。',
        basis: 'diff',
        figures: [],
        evidence: [cite(PROFILE.filename, 'new', ['export function profileOf', 'throw new'])],
      },
    ],
    diagram: null,
    notablePoints: [
      {
        importance: 1,
        categories: ['RISK'],
        point:
          '`cache` などの入れ子を環境変数で丸ごと置き換えていた場合、共通の設定のキーが残るようになります。消えるはずだった値が効いていないか確認してください。',
        basis: 'inferred',
        evidence: [cite(PROFILE.filename, 'new', 'result[key]')],
      },
      {
        importance: 2,
        categories: ['TECH'],
        point:
          'コマンドラインの解析には Node.js 標準の `parseArgs` を使っているため、`--profile=production` と `--profile production` のどちらの書き方もできます。',
        basis: 'general',
        evidence: [cite(CLI.filename, 'new', 'profile:')],
      },
    ],
    mismatches: [],
    terms: [
      { term: 'プロファイル', meaning: '環境ごとに変える設定に名前を付けてまとめたもの' },
      { term: 'オリジン', meaning: 'スキーム・ホスト・ポートの組。アクセスを許す相手の指定に使う' },
    ],
  }),
}

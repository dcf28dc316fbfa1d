import { fileWith } from './cutter.ts'
import type { Sample } from './sample.ts'

const QUEUE = fileWith(
  'internal/queue/claim.go',
  24,
  'func (q *Queue) Next(ctx context.Context) (*Job, error) {',
  `
 // Next returns the oldest job that is due, and waits if there is none.
 func (q *Queue) Next(ctx context.Context) (*Job, error) {
 	for {
-		job, err := q.store.PopOldest(ctx)
+		job, err := q.claim(ctx)
 		if err != nil || job != nil {
 			return job, err
 		}
 		select {
-		case <-time.After(q.interval):
+		case <-q.wakeups:
+		case <-time.After(q.fallback):
 		case <-ctx.Done():
 			return nil, ctx.Err()
 		}
 	}
 }
 
+// claim locks one job. Jobs that other workers hold are skipped, not waited for.
+func (q *Queue) claim(ctx context.Context) (*Job, error) {
+	row := q.db.QueryRow(ctx, \`
+		update jobs set status = 'running', lease_until = now() + $1
+		where id = (
+			select id from jobs where status = 'queued' and due_at <= now()
+			order by due_at for update skip locked limit 1
+		) returning id, kind, payload\`, q.lease)
+	return scanJob(row)
+}`,
)
const LISTEN = fileWith(
  'internal/queue/listen.go',
  1,
  '',
  `
+package queue
+
+// listen wakes up idle workers when a job is inserted. A lost connection is no error: workers also ask now and then.
+func (q *Queue) listen(ctx context.Context) {
+	for ctx.Err() == nil {
+		conn, err := q.connect(ctx)
+		if err != nil {
+			q.log.Warn("listening failed", "err", err)
+			pause(ctx, q.fallback)
+			continue
+		}
+		for conn.WaitForNotification(ctx) == nil {
+			q.wake()
+		}
+		conn.Close()
+	}
+}`,
)
const LEASE = fileWith(
  'internal/queue/lease.go',
  1,
  '',
  `
+package queue
+
+// Extend keeps a running job. It fails with ErrLost when another worker has taken the job over.
+func (q *Queue) Extend(ctx context.Context, job *Job) error {
+	tag, err := q.db.Exec(ctx, "update jobs set lease_until = now() + $1 where id = $2 and attempt = $3",
+		q.lease, job.ID, job.Attempt)
+	if err == nil && tag.RowsAffected() == 0 {
+		return ErrLost
+	}
+	return err
+}`,
)
const CONFIG = fileWith(
  'internal/config/config.go',
  40,
  'type Queue struct {',
  `
 type Queue struct {
-	RedisURL string        \`env:"FERRY_REDIS_URL,required"\`
-	Interval time.Duration \`env:"FERRY_QUEUE_INTERVAL" default:"2s"\`
+	Fallback time.Duration \`env:"FERRY_QUEUE_FALLBACK" default:"30s"\`
+	Lease    time.Duration \`env:"FERRY_QUEUE_LEASE" default:"1m"\`
 }`,
)
const MIGRATION = fileWith(
  'migrations/0014_jobs.sql',
  1,
  '',
  `
+create table jobs (
+  id uuid primary key,
+  kind text not null,
+  payload jsonb not null,
+  status text not null default 'queued',
+  attempt integer not null default 0,
+  due_at timestamptz not null default now(),
+  lease_until timestamptz
+);
+create index jobs_due on jobs (due_at) where status = 'queued';
+create trigger jobs_inserted after insert on jobs execute function notify_workers();`,
)
const IMPORT = fileWith(
  'cmd/ferry-import/main.go',
  1,
  '',
  `
+package main
+
+// Copies jobs that are still in Redis. It may run while old workers are stopping.
+func main() {
+	moved, err := copyJobs(context.Background(), redisFromEnv(), postgresFromEnv())
+	if err != nil {
+		log.Fatal(err)
+	}
+	fmt.Printf("%d jobs copied\\n", moved)
+}`,
)
const README = fileWith(
  'docs/operations.md',
  88,
  '## Queue',
  `
 ## Queue
 
-Ferry keeps its jobs in Redis.
+Ferry keeps its jobs in Postgres. Run \`ferry-import\` once before you remove Redis.`,
)

/** About 1,600 characters of prose, six sections, a diagram, a breaking change and a mismatch. */
export const large: Sample = {
  pull: {
    ...{
      title: 'feat(queue)!: keep jobs in Postgres',
      author: 'ferry-release',
      state: 'closed',
      mergedAt: '2026-10-02T23:40:00Z',
    },
    body: 'Moves the queue to Postgres. Idle workers no longer poll. All existing settings keep working.',
    labels: ['breaking', 'area: queue', 'performance', 'release: 3.0'],
    isBot: true,
    files: [QUEUE, LISTEN, LEASE, CONFIG, MIGRATION, IMPORT, README],
  },
  content: ({ cite, code, table, hostPrUrl }) => ({
    aiGeneratedTitle: '破壊的変更: ジョブキューを Redis から Postgres に移し、待ち時間をなくす',
    lead: {
      text: 'Ferry 3.0 は、ジョブを Redis ではなく Postgres に保存します。追加されたジョブは、最大 2 秒の待ちなしに、すぐ実行されます。運用している人は、更新の前に設定の変更とジョブの移行が必要です。',
      basis: 'diff',
      evidence: [
        cite(QUEUE.filename, 'new', ['job, err := q.claim', 'case <-time.After']),
        cite(MIGRATION.filename, 'new', ['create table', 'create trigger']),
      ],
    },
    impact: {
      affected: 'Ferry を自分で運用しているすべての人。ジョブを登録するだけのアプリケーションは変更不要です',
      compatibility: 'breaking',
      reason: '`FERRY_REDIS_URL` と `FERRY_QUEUE_INTERVAL` はなくなり、新しいテーブルが必要になります。',
      action: 'マイグレーションを適用し、`ferry-import` を一度実行してから、新しいワーカーを起動してください。',
      since: 'v3.0.0',
      evidence: [
        cite(CONFIG.filename, 'old', ['RedisURL', 'Interval']),
        cite(CONFIG.filename, 'new', ['Fallback', 'Lease']),
      ],
    },
    reasons: [
      {
        text: 'これまでは、ジョブの登録とデータの更新が別々のデータベースに書かれていました。片方だけが失敗すると、存在しない注文の通知が送られたり、通知が失われたりします。',
        basis: 'stated',
        sources: [
          {
            kind: 'issue',
            quote: 'We charged a customer and lost the receipt job because Redis was failing over at that moment.',
            url: `${hostPrUrl.replace(/pull\/\d+$/, 'issues/418')}`,
          },
        ],
        evidence: [],
      },
      {
        text: 'もう一つの理由は待ち時間です。空のキューを 2 秒おきに見に行くため、平均 1 秒の遅れと、何もない間の問い合わせが生じていました。',
        basis: 'diff',
        sources: [],
        evidence: [
          cite(QUEUE.filename, 'old', ['select {', 'case <-time.After']),
          cite(CONFIG.filename, 'old', 'Interval'),
        ],
      },
    ],
    backgroundAndPurpose: 'これまでは、ジョブの登録とデータの更新が別々のデータベースに書かれていました。',
    mainChanges: [
      {
        heading: '登録はデータの更新と同じトランザクションで',
        fileName: MIGRATION.filename,
        changeTypes: ['FEAT', 'BUILD'],
        description:
          'ジョブは `jobs` テーブルの行になりました。アプリケーションの更新と同じトランザクションで登録できるため、どちらか片方だけが残ることはありません。待機中の行だけを対象にした部分インデックスがあり、終わったジョブが増えても取り出しは遅くなりません。',
        basis: 'diff',
        figures: [
          code('待機中のジョブだけを索引に入れる', {
            path: MIGRATION.filename,
            after: [
              ['create table', ');'],
              ['create index', 'create trigger'],
            ],
          }),
        ],
        evidence: [cite(MIGRATION.filename, 'new', ['create index', 'create trigger'])],
      },
      {
        heading: 'ワーカーどうしが待ち合わない取り出し方',
        fileName: QUEUE.filename,
        changeTypes: ['FEAT', 'PERF'],
        description:
          '`claim` は、最も古いジョブを 1 件だけロックして実行中にします。`skip locked` により、ほかのワーカーがロックした行は飛ばされます。ワーカーを増やしても、取り出しが順番待ちになることはありません。',
        basis: 'diff',
        figures: [
          code('`PopOldest` の呼び出しが `claim` に変わり、待ち方に `wakeups` が加わった', {
            path: QUEUE.filename,
            before: [['func (q *Queue) Next', 'case <-time.After']],
            after: [
              ['func (q *Queue) Next', 'case <-time.After'],
              ['func (q *Queue) claim', 'return scanJob'],
            ],
          }),
        ],
        evidence: [cite(QUEUE.filename, 'new', ['func (q *Queue) claim', 'return scanJob'])],
      },
      {
        heading: '追加の知らせを受けて、すぐに動き出す',
        fileName: LISTEN.filename,
        changeTypes: ['FEAT', 'PERF'],
        description:
          '行が追加されるとトリガーが通知を送り、待っているワーカーが起きます。接続が切れても `FERRY_QUEUE_FALLBACK`（既定は 30 秒）ごとに確認するので、知らせを取りこぼしてもジョブは残りません。\n\n- 空のとき: 30 秒に 1 回だけ問い合わせる\n- 追加されたとき: 通知を受けてすぐに取り出す\n- 接続が切れたとき: つなぎ直すまで、間隔をあけて確認する',
        basis: 'diff',
        figures: [],
        evidence: [
          cite(LISTEN.filename, 'new', ['func (q *Queue) listen', 'conn.Close']),
          cite(MIGRATION.filename, 'new', 'create trigger'),
        ],
      },
      {
        heading: '止まったワーカーのジョブは、1 分で引き継がれる',
        fileName: LEASE.filename,
        changeTypes: ['FEAT'],
        description:
          'ワーカーは、取り出したジョブに期限を付けて預かります。実行が長引くときは `Extend` で延ばします。期限を過ぎたジョブは、別のワーカーが引き継ぎます。延長しようとして、すでに引き継がれていれば `ErrLost` が返り、古いワーカーは結果を捨てます。',
        basis: 'diff',
        figures: [
          code('預かっている回数（`attempt`）が違えば、更新は 0 行になる', {
            path: LEASE.filename,
            after: [['func (q *Queue) Extend', 'return err']],
          }),
        ],
        evidence: [cite(LEASE.filename, 'new', ['func (q *Queue) Extend', 'return err'])],
      },
      {
        heading: '設定は 4 つから 2 つに',
        fileName: CONFIG.filename,
        changeTypes: ['FEAT'],
        description:
          'Redis の接続先と確認の間隔がなくなり、確認の予備の間隔と預かりの期限が加わりました。どちらも既定値で始められます。',
        basis: 'diff',
        figures: [
          table(
            '設定の移り変わり',
            ['以前', 'これから', '既定値'],
            [
              ['`FERRY_REDIS_URL`', 'なし（Postgres の接続先を使う）', '—'],
              ['`FERRY_QUEUE_INTERVAL`', '`FERRY_QUEUE_FALLBACK`', '30 秒'],
              ['なし', '`FERRY_QUEUE_LEASE`', '1 分'],
            ],
          ),
        ],
        evidence: [cite(CONFIG.filename, 'new', ['Fallback', 'Lease'])],
      },
      {
        heading: '残っているジョブは、止めずに移せる',
        fileName: IMPORT.filename,
        changeTypes: ['FEAT', 'DOCS'],
        description:
          '`ferry-import` は、Redis に残るジョブを `jobs` テーブルに写します。古いワーカーが止まりきる前に実行しても構いません。手順は運用の文書に加えられています。',
        basis: 'diff',
        figures: [],
        evidence: [
          cite(IMPORT.filename, 'new', ['// Copies', 'moved, err']),
          cite(README.filename, 'new', 'Ferry keeps'),
        ],
      },
    ],
    diagram: {
      caption: 'ジョブが登録されてから終わるまで',
      nodes: [
        { id: 'app', label: 'アプリケーション' },
        { id: 'jobs', label: 'jobs テーブル' },
        { id: 'notify', label: '通知' },
        { id: 'worker', label: 'ワーカー' },
        { id: 'done', label: '完了' },
        { id: 'other', label: '別のワーカー' },
      ],
      edges: [
        { from: 'app', to: 'jobs', label: '同じトランザクションで登録' },
        { from: 'jobs', to: 'notify', label: 'トリガー' },
        { from: 'notify', to: 'worker', label: '起こす' },
        { from: 'worker', to: 'done', label: '実行' },
        { from: 'worker', to: 'other', label: '期限切れ' },
        { from: 'other', to: 'done', label: null },
      ],
    },
    notablePoints: [
      {
        importance: 1,
        categories: ['RISK'],
        point:
          '`FERRY_REDIS_URL` を残したまま起動しても、エラーにはなりません。Redis に残ったジョブは実行されないので、先に `ferry-import` で移してください。',
        basis: 'inferred',
        evidence: [cite(CONFIG.filename, 'old', 'RedisURL'), cite(IMPORT.filename, 'new', ['// Copies', 'func main'])],
      },
      {
        importance: 2,
        categories: ['PERF'],
        point:
          '`LISTEN` はセッションに結び付くため、トランザクション単位のプーラーを通すと通知が届きません。その場合は 30 秒おきの確認だけになります。',
        basis: 'general',
        evidence: [cite(LISTEN.filename, 'new', ['for ctx.Err', 'conn, err'])],
      },
      {
        importance: 3,
        categories: ['TECH'],
        point:
          '期限が切れたジョブは二度実行されることがあります。外部への送金や送信は、同じジョブ番号で一度だけになるように作ってください。',
        basis: 'diff',
        evidence: [cite(LEASE.filename, 'new', ['if err == nil', 'return ErrLost'])],
      },
    ],
    mismatches: [
      {
        text: '`FERRY_REDIS_URL` と `FERRY_QUEUE_INTERVAL` は読まれなくなり、代わりに 2 つの設定が加わっています。',
        quote: 'All existing settings keep working.',
        evidence: [cite(CONFIG.filename, 'old', ['RedisURL', 'Interval'])],
      },
    ],
    terms: [
      { term: '`skip locked`', meaning: 'ほかの処理がロックした行を、待たずに読み飛ばす Postgres の指定' },
      { term: 'リース', meaning: '期限付きで預かること。期限までに更新しなければ、ほかに渡る' },
    ],
  }),
}

import { modified } from '../sampleFile.ts'
import type { SamplePull } from '../samplePull.ts'

export const diskFull: SamplePull = {
  owner: 'mossgrove',
  repo: 'lantern',
  number: 96,
  title: 'docs: what happens to queued mail when the disk is full',
  body: 'Asked three times in the forum this month. The answer was only in the source (`spool/guard.c`).',
  author: 'noor-elia',
  createdAt: '2026-07-30T21:09:54Z',
  updatedAt: '2026-07-31T05:17:20Z',
  mergedAt: '2026-07-31T05:17:20Z',
  commits: [{ message: 'docs: what happens when the disk is full', author: 'noor-elia', at: '2026-07-30T21:02:11Z' }],
  comments: [
    {
      author: 'petra-w',
      at: '2026-07-31T05:16:48Z',
      body: 'Thank you! I always believed that mail was dropped in that case.',
    },
  ],
  files: [
    modified(
      'docs/spool.md',
      `
@@ 40

 Each message is a file of its own in \`/var/spool/lantern\`, named after its id.

-If there is no space left, new mail is rejected.
+### When the disk is full
+
+No mail that was accepted is ever lost:
+
+1. Below \`spool.reserve\` (64 MiB by default) new mail is answered with \`452\`, and the sender tries again later.
+2. Delivery goes on. It needs no space: a delivered message is removed, a deferred one keeps its file.
+3. Once twice the reserve is free, mail is accepted again. The gap keeps the state from flapping.
+
+\`lantern status\` shows \`spool: guarded\` meanwhile, and the metric \`lantern_spool_guarded\` is 1.

 ## Retries

-Deferred messages are tried for five days.
+Deferred messages are tried for five days. Time spent with a full disk counts, so repair it sooner than that.
`,
    ),
  ],
}

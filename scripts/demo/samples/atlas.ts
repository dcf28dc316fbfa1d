import type { SamplePull } from '../samplePull.ts'
import { tileCacheFiles } from './atlasFiles.ts'

export const tileCache: SamplePull = {
  owner: 'quillworks',
  repo: 'atlas',
  number: 1024,
  title: 'Keep rendered tiles on disk, once for each content',
  body: `Most of a world map is water: 71% of the tiles at zoom 12 are byte for byte the same. They were rendered for each
request and kept nowhere.

* A tile is stored under the BLAKE3 hash of its bytes; the table \`tiles\` maps a coordinate to a hash.
* The hash is the ETag too, so a client that has seen one empty ocean has seen them all.
* \`TileReply.hash\` is new in the protocol. Old clients pass over it.

The planet at zoom 12 takes 9 GB instead of 31 GB. Nothing removes files yet, see the last section of the docs.`,
  author: 'lucia-brandt',
  createdAt: '2026-10-20T10:00:31Z',
  updatedAt: '2026-10-27T17:22:08Z',
  mergedAt: '2026-10-27T17:22:07Z',
  commits: [
    { message: 'Add the table of tiles', author: 'lucia-brandt', at: '2026-10-20T09:12:00Z' },
    { message: 'Store tiles by the hash of their content', author: 'lucia-brandt', at: '2026-10-21T14:37:25Z' },
    { message: 'Answer 304 where the client has the tile', author: 'sam-adeyemi', at: '2026-10-23T08:45:59Z' },
    { message: 'Write to a temporary file, then rename', author: 'lucia-brandt', at: '2026-10-27T15:08:13Z' },
  ],
  comments: [
    {
      author: 'sam-adeyemi',
      at: '2026-10-23T08:50:12Z',
      body: 'I added the 304. On the replay of Sunday, 64% of all answers have no body any more.',
    },
    { author: 'lucia-brandt', at: '2026-10-23T09:14:40Z', body: 'Lovely. That is most of the egress bill.' },
  ],
  reviewComments: [
    {
      author: 'sam-adeyemi',
      at: '2026-10-27T11:32:00Z',
      body: 'If we crash in the middle of this write, half a tile stays under a hash that promises a whole one.',
      path: 'src/tiles/store.rs',
      line: 29,
    },
  ],
  reviews: [
    { author: 'sam-adeyemi', at: '2026-10-27T11:33:10Z', body: 'Torn writes.', state: 'CHANGES_REQUESTED' },
    { author: 'sam-adeyemi', at: '2026-10-27T17:01:45Z', body: 'Rename it is.', state: 'APPROVED' },
  ],
  files: tileCacheFiles,
}

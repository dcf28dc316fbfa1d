import type { SamplePull } from '../samplePull.ts'
import { observances } from './almanac.ts'
import { tileCache } from './atlas.ts'
import { diskFull } from './lantern.ts'
import { zstdResponses } from './sluice.ts'
import { clockJump, constantTime } from './turnstile.ts'

/** Invented projects and people, in the order they are shown. */
export const samples: SamplePull[] = [zstdResponses, clockJump, constantTime, observances, diskFull, tileCache]

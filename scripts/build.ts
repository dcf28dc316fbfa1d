import { buildBundle } from './build/bundle.ts'

console.log(`The bundle is in ${await buildBundle()}.`)

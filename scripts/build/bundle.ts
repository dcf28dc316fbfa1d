import { readFile, rename, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Validator } from '@seriousme/openapi-schema-validator'
import { rolldown } from 'rolldown'
import { copyPackages } from './packages.ts'

/** The folder of the bundle, directly below the root, as `src/projectFiles.ts` expects. */
const OUTPUT = '.build'
/** The folder of an unfinished build. Replaces `.build` when complete, so that a failed build leaves that unchanged. */
const UNFINISHED = '.build.new'
const PROGRAMS = {
  main: 'src/start.js',
  thread: 'src/thread.ts',
  admin: 'scripts/admin.ts',
  migrate: 'scripts/migrate.ts',
  rotateKeys: 'scripts/rotateKeys.ts',
}
/** Packages that are copied instead of bundled, because they read files of their own. */
const COPIED = ['@electric-sql/pglite', '@fastify/swagger-ui', '@shikijs/langs', 'piscina']
/** Native packages that other packages use only if they are installed. */
const OPTIONAL = ['pg-native', 'pg-cloudflare', '@napi-rs/nice']

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Bundles the service and its programs for production, and returns the folder. */
export async function buildBundle(): Promise<string> {
  await requireValidContract()
  const unfinished = `${root}${UNFINISHED}`
  await rm(unfinished, { recursive: true, force: true })
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: PROGRAMS,
    external: [...COPIED, ...OPTIONAL].map((name) => new RegExp(`^${name}(/|$)`)),
    resolve: { alias: { '@seriousme/openapi-schema-validator$': `${root}scripts/build/validatedContract.ts` } },
  })
  await bundle.write({
    dir: unfinished,
    sourcemap: true,
    minify: true,
    // Names of classes and functions appear in logs.
    keepNames: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
  await copyPackages(COPIED, root, unfinished)
  const folder = `${root}${OUTPUT}`
  await rm(folder, { recursive: true, force: true })
  await rename(unfinished, folder)
  return folder
}

/** Validates the contract during the build, because the bundle does not validate it again. */
async function requireValidContract(): Promise<void> {
  const routes = JSON.parse(await readFile(`${root}generated/routes.json`, 'utf8'))
  const { valid, errors } = await new Validator().validate(routes)
  if (!valid) throw new Error(`The contract is not valid: ${JSON.stringify(errors)}`)
}

import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
/** The first program is Chromium without a user interface; it takes a quarter of the time of the others. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
const PATHS = [process.env['CHROMIUM'], ...NAMES.map((name) => `/usr/bin/${name}`)]
const found = PATHS.find((path) => path && existsSync(path))

export const hasChromium = found !== undefined

if (!hasChromium) {
  if (process.env['CHROMIUM_REQUIRED']) throw new Error('CHROMIUM_REQUIRED is set, but no Chromium was found.')
  console.log('Skipping browser tests: no Chromium. (Debian: apt-get install chromium-headless-shell)')
}

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: found ?? '', args: FLAGS })
}

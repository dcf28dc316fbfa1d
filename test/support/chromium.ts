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
const PATHS = [process.env['CHROMIUM'], '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const found = PATHS.find((path) => path && existsSync(path))

export const hasChromium = found !== undefined

if (!hasChromium) {
  if (process.env['CHROMIUM_REQUIRED']) throw new Error('CHROMIUM_REQUIRED is set, but no Chromium was found.')
  console.log('Skipping browser tests: no Chromium. (Debian: apt-get install chromium)')
}

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: found ?? '', args: FLAGS })
}

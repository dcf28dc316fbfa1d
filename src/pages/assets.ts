import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A static file of the pages. Its address contains a hash of its content, so that browsers may cache it forever. */
export interface Asset {
  path: string
  address: string
  type: string
  text: string
}

export const stylesheet = asset('reader.css', 'text/css', 'assets/reader.css')
export const icon = asset('icon.svg', 'image/svg+xml', 'assets/icon.svg')
export const script = asset('reader.js', 'text/javascript', '../../generated/reader.js')

function asset(name: string, type: string, file: string): Asset {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8')
  const path = `/read/assets/${name}`
  return { path, address: `${path}?v=${hash('sha256', text, 'base64url').slice(0, 12)}`, type, text }
}

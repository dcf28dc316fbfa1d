import { hash } from 'node:crypto'
import { readProjectFile } from '../../projectFiles.ts'

/** A static file of the pages. Its URL contains a hash of its content, so that browsers may cache it forever. */
export interface Asset {
  path: string
  address: string
  type: string
  content: Buffer
}

export const stylesheet = asset('reader.css', 'text/css; charset=utf-8', 'src/web/pages/assets/reader.css')
export const icon = asset('icon.svg', 'image/svg+xml; charset=utf-8', 'src/web/pages/assets/icon.svg')
export const script = asset('reader.js', 'text/javascript; charset=utf-8', 'generated/reader.js')
/** The image that other sites show with a link to a page. */
export const card = { ...asset('card.png', 'image/png', 'src/web/pages/assets/card.png'), width: 1200, height: 630 }

function asset(name: string, type: string, file: string): Asset {
  const content = readProjectFile(file)
  const path = `/read/assets/${name}`
  return { path, address: `${path}?v=${hash('sha256', content, 'base64url').slice(0, 12)}`, type, content }
}

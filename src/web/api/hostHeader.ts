import type { IncomingMessage } from 'node:http'
import { Problem } from '../../errors.ts'

/** Rejects several Host headers, because a proxy might use another one than we do. */
export function hostHeaderProblem({ rawHeaders, httpVersion }: IncomingMessage): Problem | undefined {
  const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length
  if (hosts > 1) return new Problem('VALIDATION_ERROR', 'There is more than one Host header.')
  if (hosts === 0 && httpVersion === '1.1') return new Problem('VALIDATION_ERROR', 'The Host header is missing.')
  return undefined
}

import { answerTooLarge } from './errors.ts'

/**
 * JSON.parse takes at most 50 ms for an event of this size. An escaped answer of 16,000 tokens has about 150,000
 * characters.
 */
const MAX_EVENT_CHARACTERS = 384 * 1024
export const DONE = '[DONE]'

/**
 * Decodes server-sent events; returns the data of each event. A body that starts with `{` is plain JSON from a server
 * that does not stream: it counts as one event, followed by the end mark. All work is linear in the bytes received.
 */
export function createEventDecoder() {
  const utf8 = new TextDecoder()
  let form: 'unknown' | 'events' | 'json' = 'unknown'
  let line = ''
  let data: string[] = []
  let dataLength = 0

  function endOfLine(events: string[]): void {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    line = ''
    if (text.startsWith('data:')) {
      data.push(text.slice(text[5] === ' ' ? 6 : 5))
      dataLength += text.length
    } else if (text === '' && data.length > 0) {
      events.push(data.join('\n'))
      data = []
      dataLength = 0
    }
  }

  function push(text: string): string[] {
    const events: string[] = []
    let start = 0
    for (let end = text.indexOf('\n'); form === 'events' && end !== -1; end = text.indexOf('\n', start)) {
      line += text.slice(start, end)
      start = end + 1
      endOfLine(events)
      requireSmall()
    }
    line += text.slice(start)
    requireSmall()
    return events
  }

  function requireSmall(): void {
    if (line.length + dataLength > MAX_EVENT_CHARACTERS) throw answerTooLarge()
  }

  return {
    push(bytes: Uint8Array): string[] {
      const decoded = utf8.decode(bytes, { stream: true })
      const text = form === 'unknown' ? decoded.trimStart() : decoded
      if (form === 'unknown' && text !== '') form = text.startsWith('{') ? 'json' : 'events'
      return push(text)
    },
    /** Returns the remaining events. Some servers omit the blank line after the last one. */
    end(): string[] {
      if (form === 'json') return [line + utf8.decode(), DONE]
      return form === 'events' ? push(`${utf8.decode()}\n\n`) : []
    },
  }
}

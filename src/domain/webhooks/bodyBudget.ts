const MAX_BYTES = 32 * 1024 * 1024

/** The body of a delivery that is still arriving. */
interface ArrivingBody {
  add(chunk: Uint8Array): void
  /** Returns the text, or undefined if the body was dropped. Frees the memory of the body. */
  end(): string | undefined
}

export interface BodyBudget {
  /** Begins a body of at most `maxBytes`. */
  begin(maxBytes: number): ArrivingBody
  bytes(): number
}

/**
 * Bounds the memory for bodies whose signature is not verified yet. Beyond the limit the oldest bodies are dropped:
 * deliveries of the code host arrive within milliseconds, so an old body comes from a slow or malicious sender.
 */
export function createBodyBudget(): BodyBudget {
  const bodies = new Set<{ buffer: Buffer }>()
  let bytes = 0

  function drop(body: { buffer: Buffer }): void {
    if (bodies.delete(body)) bytes -= body.buffer.length
  }

  return {
    bytes: () => bytes,
    begin(maxBytes) {
      // Copied into one buffer, because each chunk would keep the larger buffer alive that the socket was read into.
      const body = { buffer: Buffer.alloc(0) }
      let used = 0
      bodies.add(body)
      return {
        add(chunk) {
          if (!bodies.has(body)) return
          const needed = used + chunk.length
          if (needed > body.buffer.length) {
            const larger = Buffer.alloc(Math.max(needed, Math.min(2 * body.buffer.length, maxBytes)))
            body.buffer.copy(larger)
            bytes += larger.length - body.buffer.length
            body.buffer = larger
          }
          body.buffer.set(chunk, used)
          used = needed
          for (const oldest of bodies) {
            if (bytes <= MAX_BYTES) break
            drop(oldest)
            oldest.buffer = Buffer.alloc(0)
          }
        },
        end() {
          const text = bodies.has(body) ? new TextDecoder().decode(body.buffer.subarray(0, used)) : undefined
          drop(body)
          return text
        },
      }
    },
  }
}

import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress, zstdDecompressSync } from 'node:zlib'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** Below this compressed size, decompressing on this thread is faster than handing it to another one. */
const SMALL_BYTES = 32 * 1024

/** Compresses JSON for storage, to about a tenth of its size. */
export async function pack(json: Uint8Array): Promise<Buffer> {
  return compress(json)
}

export async function unpack(packed: Buffer): Promise<Buffer> {
  return packed.length < SMALL_BYTES ? zstdDecompressSync(packed) : decompress(packed)
}

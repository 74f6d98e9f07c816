/** Bodies of requests: read up to a limit, decompressed up to a limit, and decoded strictly. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decoded, readBody, utf8 } from '../../../../adapters/apps/proxy/read-body.ts'

describe('a body', () => {
  it('up to the limit comes as bytes, a longer one as a stream of all of it', async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(chunks, fc.nat(100), async (parts, limit) => {
        const whole = Buffer.concat(parts)
        const read = await readBody(Readable.from(parts.map((part) => Buffer.from(part))), limit)
        expect(Buffer.isBuffer(read)).toBe(whole.length <= limit)
        expect(Buffer.isBuffer(read) ? read : await buffer(read)).toEqual(whole)
      }),
    )
  })

  it('whose sender fails or goes away rejects', async () => {
    const failing = new Readable({ read() {} })
    const read = readBody(failing, 10)
    failing.destroy(new Error('connection reset'))
    await expect(read).rejects.toThrow('connection reset')
    const gone = new Readable({ read() {} })
    const other = readBody(gone, 10)
    gone.destroy()
    await expect(other).rejects.toThrow('Premature close')
  })
})

describe('decompression', () => {
  const text = Buffer.from('who drew the bridge '.repeat(100))
  it.each([
    ['gzip', gzipSync(text)],
    [' GZIP ', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
    [undefined, text],
  ])('of %j', async (encoding, bytes) => {
    expect(await decoded(bytes, encoding, text.length)).toEqual(text)
  })

  it('refuses more than the limit, wrong bytes and unknown encodings', async () => {
    await expect(decoded(gzipSync(text), 'gzip', text.length - 1)).rejects.toThrow()
    await expect(decoded(text, 'gzip', 10_000)).rejects.toThrow()
    await expect(decoded(text, 'zstd, gzip', 10_000)).rejects.toThrow('zstd, gzip')
    await expect(decoded(text, 'constructor', 10_000)).rejects.toThrow('constructor')
  })
})

it('text that is not UTF-8 is refused, and a byte order mark stays', () => {
  expect(utf8(Buffer.from('Zürich'))).toBe('Zürich')
  expect(utf8(Buffer.from('\ufeff{}'))).toBe('\ufeff{}')
  expect(() => utf8(Buffer.from([0xc3, 0x28]))).toThrow(TypeError)
})

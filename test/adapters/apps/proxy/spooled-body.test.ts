/** Bodies whose hash is needed before they are sent: short ones stay in memory, long ones in a file without a name. */
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished, vi } from 'vitest'
import { spoolBody, spooledBytes } from '../../../../adapters/apps/proxy/spooled-body.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const inPieces = (bytes: Buffer): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, place) =>
      bytes.subarray(place * 65_536, (place + 1) * 65_536),
    ),
  )

it.each([0, 1, 256 * 1024, 256 * 1024 + 1, 3_000_000])('%i bytes are sent as they came', async (length) => {
  const bytes = randomBytes(length)
  const spooled = await spoolBody(inPieces(bytes), length)
  if (spooled === 'too long') throw new Error('it is not')
  expect([spooled.hash, spooled.length]).toEqual([hashOf(bytes), length])
  const { body } = spooled
  expect(body === null).toBe(length === 0)
  expect(body instanceof Readable).toBe(length > 256 * 1024)
  const sent = body === null ? Buffer.alloc(0) : Buffer.isBuffer(body) ? body : await buffer(body)
  expect(sent.equals(bytes)).toBe(true)
})

it('one byte too many is refused, the rest of it is not read, and the stream stays open', async () => {
  const source = inPieces(randomBytes(1_000_000))
  expect(await spoolBody(source, 300_000)).toBe('too long')
  expect(source.destroyed).toBe(false)
})

it('no file is left, whether the body was read or its sender failed', async () => {
  const folder = await temporaryFolder()
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
  const read = await spoolBody(inPieces(randomBytes(1_000_000)), 2_000_000)
  if (read !== 'too long' && read.body instanceof Readable) await buffer(read.body)
  const failing = new Readable({ read() {} })
  failing.push(randomBytes(400_000))
  const spooled = spoolBody(failing, 2_000_000)
  failing.destroy(new Error('connection reset'))
  await expect(spooled).rejects.toThrow('connection reset')
  expect(await readdir(folder)).toEqual([])
})

it('bytes at hand need no spooling', () => {
  expect(spooledBytes('Zürich')).toEqual({
    hash: hashOf(Buffer.from('Zürich')),
    length: 7,
    body: Buffer.from('Zürich'),
  })
})

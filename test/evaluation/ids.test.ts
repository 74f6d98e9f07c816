import { describe, expect, it } from 'vitest'
import { decodeId, encodeId } from '../../src/evaluation/ids.ts'

describe('identifiers in files', () => {
  it.each([
    ['d1', 'd1'],
    ['a b', 'a%20b'],
    ['100%', '100%25'],
    ['%20', '%2520'],
    ['a\tb\n', 'a%09b%0A'],
    // A no-break space, a line separator and a byte order mark, as UTF-8.
    ['\u00a0\u2028\ufeff', '%C2%A0%E2%80%A8%EF%BB%BF'],
    // Python splits lines at these two.
    ['\u001c\u0085', '%1C%C2%85'],
    ['http://x/?q=é&😀', 'http://x/?q=é&😀'],
  ])('%j is written %s', (id, text) => {
    expect(encodeId(id)).toBe(text)
    expect(decodeId(text)).toBe(id)
  })

  it.each(['100%', '%zz', '%ff', '50%20%'])('%s, which is no valid encoding, is read as it is', (text) => {
    expect(decodeId(text)).toBe(text)
  })

  it.each(['', '\ud800', 'a\udc00'])('%j cannot be written', (id) => {
    expect(() => encodeId(id)).toThrow(expect.objectContaining({ code: 'bad-document' }))
  })
})

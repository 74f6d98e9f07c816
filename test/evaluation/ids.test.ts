import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeId, encodeId } from '../../src/evaluation/ids.ts'
import { expectError } from '../support/expect-error.ts'

describe('identifiers in files', () => {
  it.each([
    ['d1', 'd1'],
    ['a b', 'a%20b'],
    ['%20', '%2520'],
    ['%2520', '%252520'],
    ['%C2%A0', '%25C2%A0'],
    ['a\tb\n', 'a%09b%0A'],
    // A no-break space, a line separator and a byte order mark, as UTF-8.
    ['\u00a0\u2028\ufeff', '%C2%A0%E2%80%A8%EF%BB%BF'],
    // Python splits lines at these two.
    ['\u001c\u0085', '%1C%C2%85'],
    ['http://x/?q=é&😀', 'http://x/?q=é&😀'],
    ['100%', '100%'],
    ['https://en.wikipedia.org/wiki/Caf%C3%A9', 'https://en.wikipedia.org/wiki/Caf%C3%A9'],
    ['x%2Fy%25', 'x%2Fy%25'],
  ])('%j is written %s', (id, text) => {
    expect(encodeId(id)).toBe(text)
    expect(decodeId(text)).toBe(id)
  })

  it.each(['100%', '%zz', '%ff', '%2', '%c2%a0', '%E2%80%2F'])(
    '%s, which is not written, is read as it is',
    (text) => {
      expect(decodeId(text)).toBe(text)
    },
  )

  it('every white space and control character is encoded, and decoded again', () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
    const separating = characters.filter((one) => /\s|\p{Cc}/u.test(one))
    expect(separating.length).toBeGreaterThan(80)
    for (const one of separating) {
      expect(encodeId(one)).toMatch(/^(%[\dA-F]{2})+$/)
      expect(decodeId(encodeId(one))).toBe(one)
    }
  })

  const piece = fc.constantFrom(...'%025C7AEF8B', ' ', '\u00a0', '\u2009', '%25', '%20', 'C2%', 'E2%80%')
  const id = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''))

  it('what is written is read as it was', () => {
    fc.assert(
      fc.property(id, (one) => {
        expect(decodeId(encodeId(one))).toBe(one)
      }),
      { numRuns: 2000 },
    )
  })

  it('what another tool wrote is written as it was', () => {
    fc.assert(
      fc.property(id, (one) => {
        const text = one.replace(/\s/g, '')
        fc.pre(text !== '')
        expect(encodeId(decodeId(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  it.each(['', '\ud800', 'a\udc00'])('%j cannot be written', (id) => {
    expectError(() => encodeId(id), 'bad-document')
  })
})

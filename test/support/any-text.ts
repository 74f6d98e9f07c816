/** Any text whatever. */
import fc from 'fast-check'

const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0x10_f7_ff }))
  // Past the surrogates, which are no characters.
  .map((number) => String.fromCodePoint(number < 0xd8_00 ? number : number + 0x8_00))

/**
 * Texts of any characters, and the words that trip programs up, such as `__proto__`. Like `fc.string({ unit: 'binary' })`,
 * which takes most of a second to make: fast-check first lists every character that there is.
 *
 * @param minLength in characters, 0 by default
 */
export const anyText = (minLength = 0): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ minLength }),
    fc.array(codePoint, { minLength }).map((characters) => characters.join('')),
  )

/** What a character does to the words, phrases and sentences of a text. */
export const Kind = {
  /** Stands between two words and separates nothing else: a space, a hyphen, an apostrophe. */
  blank: 0,
  /** Separates phrases. */
  separator: 1,
  period: 2,
  /** Ends a sentence: an exclamation or question mark, or the full stop of Chinese and Japanese. */
  end: 3,
  newLine: 4,
  quote: 5,
  /** A letter, digit or mark of any script. From here on, all kinds are of words. */
  word: 6,
  /** A small Latin letter, with which no sentence begins. */
  small: 7,
} as const

/** [first code, last code]: all but the punctuation and symbols between the blocks of letters. */
const words = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xaa, 0xaa],
  [0xb5, 0xb5],
  [0xba, 0xba],
  [0xc0, 0xd6],
  [0xd8, 0xf6],
  [0xf8, 0x1fff],
  // Superscripts and subscripts; letter-like symbols and number forms.
  [0x2070, 0x209c],
  [0x2100, 0x218b],
  [0x2c00, 0x2fff],
  // Between the punctuation of Chinese and Japanese, and up to its wide forms.
  [0x3005, 0x3007],
  [0x3021, 0xfeff],
  [0xff10, 0xffff],
] as const

const small = [
  [0x61, 0x7a],
  [0xdf, 0xf6],
  [0xf8, 0xff],
] as const

/** The kind of each UTF-16 code. A look-up takes a fraction of the time of comparing with every range. */
export const kinds = new Uint8Array(1 << 16).fill(Kind.separator)

for (const [first, last] of words) kinds.fill(Kind.word, first, last + 1)
for (const [first, last] of small) kinds.fill(Kind.small, first, last + 1)
for (const [characters, kind] of [
  [" \t\r\u00a0-'\u2019", Kind.blank],
  ['.', Kind.period],
  ['!?\u3002', Kind.end],
  ['\n', Kind.newLine],
  ['"\u201c\u201d', Kind.quote],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind

/** Texts that would do harm wherever words are taken for anything else than words. */
import fc from 'fast-check'

const fragments = [
  // JSON, and lines of it.
  '"}]}}',
  '","boost":99,"x":"',
  '{"match_all":{}}',
  '\n{"index":"secret"}\n{"query":{"match_all":{}}}\n',
  '\r\n{}\r\n{}\r\n',
  '\\',
  '\\"',
  '\\u0022',
  '\\n',
  // Lucene's syntax.
  'tenant:globex',
  '* OR *:*',
  '_exists_:secret',
  '(a AND b) NOT c~2^5 [1 TO *]',
  '/.*/',
  '+secret -"acme"',
  // Templates and scripts.
  '{{query}}',
  '{{#toJson}}query{{/toJson}}',
  '{{{secret}}}',
  `$\{7*7}`,
  '#{7*7}',
  '<%= 7*7 %>',
  "ctx._source.owner = 'me'; return true",
  "doc['secret'].value",
  "'; DROP TABLE works; --",
  '<script>alert(1)</script>',
  // Names that objects have already.
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  // Characters that end, hide or break texts.
  '\u0000',
  '\u0007',
  '\u001b[31m',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u2029',
  '\ufeff',
  '\u202e',
  '\n',
  '\r',
  '\t',
  '\ud800',
  '\udfff\ud800',
  '\u{10ffff}',
  '%0A',
  '%00',
  // What stands in the templates of the test, too.
  'acme',
  'bridge',
  ' ',
]

const units = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)), maxLength: 40 })

const short = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, units, fc.json(), fc.string()), {
    minLength: 1,
    maxLength: 8,
  })
  .map((parts) => parts.join(''))

const repeated = (length: number): fc.Arbitrary<string> =>
  short.map((text) => (text === '' ? 'a' : text).repeat(length).slice(0, length))

/** One of 5,000 has a megabyte, and ten have as much as is still looked at. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4989, arbitrary: short },
  { weight: 10, arbitrary: repeated(10_000) },
  { weight: 1, arbitrary: repeated(2 ** 20) },
)

/** What a text has, so that a test can say that there were some of each. */
export const hostility: Readonly<Record<string, (text: string) => boolean>> = {
  'a line end': (text) => text.includes('\n'),
  'a quote': (text) => text.includes('"'),
  'the slot': (text) => text.includes('{{query}}'),
  'a prototype': (text) => text.includes('__proto__'),
  'a control character': (text) => text.includes('\u0000'),
  'a lone surrogate': (text) => /\p{Surrogate}/u.test(text),
  'a condition’s text': (text) => text.trim() === 'acme',
  'a megabyte': (text) => text.length === 2 ** 20,
}

/** Requests with two readings, in one of which they hide a request of `/secret` (smuggling; RFC 9112, section 11.2). */
const inner = 'GET /secret HTTP/1.1\r\nhost: a\r\n\r\n'
const chunked = `0\r\n\r\n${inner}`
/** What is wrong, headers, and the bytes after them. */
export const ambiguousRequests: readonly (readonly [string, string, string])[] = [
  ['a length and chunks', `content-length: ${chunked.length}\r\ntransfer-encoding: chunked`, chunked],
  ['chunks and a length', `transfer-encoding: chunked\r\ncontent-length: ${chunked.length}`, chunked],
  ['two lengths', `content-length: 0\r\ncontent-length: ${inner.length}`, inner],
  ['two lengths in one', `content-length: 0, ${inner.length}`, inner],
  ['a length with a sign', 'content-length: +0', inner],
  ['a length in hexadecimal', 'content-length: 0x0', inner],
  ['a length below nothing', 'content-length: -1', inner],
  ['chunks that are none at the end', 'transfer-encoding: chunked, identity', chunked],
  ['chunks under a name that is none', 'transfer-encoding: xchunked', chunked],
  ['a blank before the colon', 'transfer-encoding : chunked', chunked],
  [
    'a header that goes on',
    `x: a\r\n transfer-encoding: chunked\r\ncontent-length: ${chunked.length}`,
    chunked,
  ],
  ['lines without carriage returns', 'content-length: 0\nx: y', inner],
  ['a carriage return in a header', 'x: a\rtransfer-encoding: chunked', chunked],
  ['a zero byte in a header', 'x: a\0b', inner],
  ['a size of a chunk that is none', 'transfer-encoding: chunked', `0x1\r\na\r\n${chunked}`],
  ['a size of a chunk that overflows', 'transfer-encoding: chunked', `10000000000000001\r\na\r\n${chunked}`],
]

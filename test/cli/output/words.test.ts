import { describe, expect, it } from 'vitest'
import { clip, count, formatBytes, formatDuration, parseDuration } from '../../../src/cli/output/words.ts'

it('counts one thing, none, and many', () => {
  expect(count(1, 'document')).toBe('1 document')
  expect(count(0, 'document')).toBe('0 documents')
  expect(count(2, 'query', 'queries')).toBe('2 queries')
})

it.each([
  ['two\n lines ', 'two lines'],
  ['one two three four', 'one two …'],
  ['unbreakable', 'unbreakabl …'],
  ['', ''],
])('clips %j to %j', (text, shown) => expect(clip(text, 10)).toBe(shown))

it.each([
  [1, '1 kB'],
  [999_999, '1000 kB'],
  [1_250_000, '1.3 MB'],
  [1.5e9, '1.5 GB'],
])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

describe('parseDuration', () => {
  it.each([
    ['3000', 3000],
    [3000, 3000],
    ['500ms', 500],
    ['5s', 5000],
    ['0.5 s', 500],
    ['2m', 120_000],
    ['1h', 3_600_000],
  ])('reads %j as %d milliseconds', (value, ms) => {
    expect(parseDuration(value)).toBe(ms)
  })

  it.each(['', 's', '-1s', '0', '5 seconds', '1e3', 'NaN', Infinity])('refuses %j', (value) => {
    expect(parseDuration(value)).toBeUndefined()
  })
})

describe('formatDuration', () => {
  it.each([
    [0.25, '0.3 ms'],
    [350, '350 ms'],
    [4200, '4.2 s'],
    [200_000, '3 min 20 s'],
    [3_720_000, '1 h 2 min'],
  ])('writes %d milliseconds as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})

/**
 * Reads filters out of a query, without a model. A filter has a field that the operator lists, and a value that the operator lists or
 * the index has, or a number that stands in the query. What is ambiguous is not read.
 */
import type { Condition } from '../../src/types.ts'
import { readCompared } from './compared.ts'
import type { Known } from './known.ts'
import type { Reading } from './spans.ts'
import { type Token, tokensOf } from './tokens.ts'
import { readingsOf, readValues } from './values.ts'

/** A filter, and where its words stand in the query. */
export interface WordedFilter {
  readonly condition: Condition
  readonly words: string
  readonly spans: readonly (readonly [start: number, end: number])[]
}

/** The filters, in the order of their words. */
export function readFilters(text: string, known: Known): WordedFilter[] {
  const tokens = tokensOf(text)
  const compared = readCompared(tokens, known)
  const isTaken = (place: number): boolean => compared.some(({ from, to }) => from <= place && place < to)
  const values = readingsOf(tokens, readValues(tokens, known, isTaken))
  return [...compared.map((one) => [one]), ...values]
    .map((readings) => worded(text, tokens, readings))
    .sort((one, other) => one.spans[0]![0] - other.spans[0]![0])
}

function worded(text: string, tokens: readonly Token[], readings: readonly Reading[]): WordedFilter {
  const spans = readings.map(({ from, to }) => [tokens[from]!.start, tokens[to - 1]!.end] as const)
  const words = spans.map(([start, end]) => text.slice(start, end)).join(' … ')
  return { condition: readings[0]!.condition, words, spans }
}

/** The query without the words of these filters; the whole query if nothing is left. */
export function textWithout(text: string, filters: readonly WordedFilter[]): string {
  const spans = filters.flatMap((filter) => filter.spans).sort((one, other) => one[0] - other[0])
  let rest = ''
  let at = 0
  for (const [start, end] of spans) {
    rest += `${text.slice(at, Math.max(at, start))} `
    at = Math.max(at, end)
  }
  const parts = `${rest}${text.slice(at)}`.replace(/\s+/g, ' ').split(/([ ,;]+)/)
  const says = (part: string): boolean => !/^(?:[ ,;]*|and|or|but)$/i.test(part)
  const left = parts.slice(parts.findIndex(says), parts.findLastIndex(says) + 1).join('')
  return /[\p{L}\p{N}]/u.test(left) ? left : text
}

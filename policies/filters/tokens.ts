/** The words, numbers and signs of a query, with their places in its text. */

export interface Token {
  readonly kind: 'word' | 'number' | 'sign'
  /** Lower case, without accents and apostrophes. */
  readonly norm: string
  readonly start: number
  readonly end: number
  /** Of a number. Absent if it can be read in two ways, such as "1.299". */
  readonly value?: number
}

const token =
  /(?<number>\d+(?:[.,]\d+)*)|(?<word>\p{L}[\p{L}\p{M}]*(?:['’][\p{L}\p{M}]+)*)|(?<sign><=|>=|[<>≤≥=€$£¥₹+\-–&/.,:;!?%"”″])/gu

/** Characters of a query that are read. */
const maxLength = 2000

export function tokensOf(text: string): Token[] {
  return Array.from(text.slice(0, maxLength).matchAll(token), ({ 0: found, index: start, groups }) => {
    const place = { start, end: start + found.length }
    if (groups!.number !== undefined) {
      const value = numberOf(found)
      return { kind: 'number' as const, norm: found, ...place, ...(value !== undefined && { value }) }
    }
    if (groups!.word !== undefined) return { kind: 'word' as const, norm: normalized(found), ...place }
    return { kind: 'sign' as const, norm: found === '–' ? '-' : found, ...place }
  })
}

/** The words and numbers of a value or a name, as they are compared with those of a query. */
export const normsOf = (text: string): string[] =>
  tokensOf(text).flatMap(({ kind, norm }) => (kind === 'sign' ? [] : norm))

const normalized = (word: string): string =>
  word
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()

/** "1,299.50", "1.299,50", "49,99", "1,299". One dot before three digits can be either: undefined. */
function numberOf(text: string): number | undefined {
  const marks = text.replace(/\d/g, '')
  if (marks === '') return Number(text)
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  const [mark, decimals] = [text[last]!, text.length - last - 1]
  const others = marks.slice(0, -1)
  const isGrouped = (whole: string): boolean => /^\d{1,3}(?:[.,]\d{3})*$/.test(whole)
  if (others === '') {
    if (decimals === 3) return mark === ',' && isGrouped(text) ? Number(text.replace(',', '')) : undefined
    return Number(text.replace(',', '.'))
  }
  if (new Set(others).size > 1 || !isGrouped(text.slice(0, last))) return undefined
  const whole = text.slice(0, last).replace(/[.,]/g, '')
  if (others[0] !== mark) return Number(`${whole}.${text.slice(last + 1)}`)
  return decimals === 3 ? Number(whole + text.slice(last + 1)) : undefined
}

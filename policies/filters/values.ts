/** Reads values of keyword fields, and flags: the longest match of whole words, unless it is ambiguous or means something else. */
import { groupBy } from '../../src/runtime/group-by.ts'
import { stopWords } from '../../src/text/english.ts'
import type { Field } from './fields.ts'
import type { Known, KnownValue } from './known.ts'
import { nameAfter, nameBefore, type Reading, withLeads } from './spans.ts'
import type { Token } from './tokens.ts'

/** A value among the words of a query. */
export interface FoundValue {
  readonly field: Field
  readonly value: string | true
  readonly isNegated: boolean
  readonly from: number
  readonly to: number
}

/** Before a value, these say that it is not the thing itself: "case for Acme", "like Acme", "compatible with Acme". */
const blocksBefore: ReadonlySet<string> = new Set(
  'for like than vs versus fits fit unlike replaces replacing replacement'.split(' '),
)
const pairsBefore: ReadonlySet<string> = new Set(
  'compatible with,similar to,alternative to,alternatives to,compared to,compared with,works with,work with'.split(
    ',',
  ),
)
const blocksAfter: ReadonlySet<string> = new Set(
  'compatible style styled like alternative alternatives inspired look lookalike vs versus'.split(' '),
)
const negations: ReadonlySet<string> = new Set(['not', 'no', 'without', 'except', 'excluding', 'non'])

/** Signs inside a value: "Hewlett-Packard", "AT&T", "S. Oliver". */
const inside: ReadonlySet<string> = new Set(['-', '&', '.', '/', '+'])

/** @param isTaken whether a token has been read already */
export function readValues(
  tokens: readonly Token[],
  known: Known,
  isTaken: (place: number) => boolean,
): FoundValue[] {
  const found: FoundValue[] = []
  for (let place = 0; place < tokens.length; ) {
    const matches = matchesAt(tokens, place, known, isTaken)
    const longest = Math.max(0, ...matches.map(({ to }) => to))
    const best = matches.filter(({ to }) => to === longest)
    if (best.length > 0) found.push(...(chosen(tokens, place, best, known) ?? []))
    place = Math.max(place + 1, longest, ...found.slice(-1).map(({ to }) => to))
  }
  return found
}

interface Match {
  readonly field: Field
  readonly value: string | true
  readonly norms: readonly string[]
  readonly to: number
}

function matchesAt(
  tokens: readonly Token[],
  place: number,
  { fields, valuesByWord }: Known,
  isTaken: (place: number) => boolean,
): Match[] {
  const first = tokens[place]!
  if (first.kind === 'sign') return []
  // A query may have the plural of a value, but a value that is a plural is a name.
  const starts = [first.norm, ...singularsOf(first.norm)]
  const values: (Pick<KnownValue, 'field' | 'norms'> & { readonly value: string | true })[] = [
    ...starts.flatMap((start) => valuesByWord.get(start) ?? []),
    ...fields.flatMap((field) =>
      field.type === 'flag' ? field.names.map((norms) => ({ field, norms, value: true as const })) : [],
    ),
  ]
  return values.flatMap(({ field, value, norms }) => {
    const to = endOf(tokens, place, norms, isTaken)
    return to === undefined ? [] : [{ field, value, norms, to }]
  })
}

/** Where the words of a value that begin at a place end, if they stand there. */
function endOf(
  tokens: readonly Token[],
  place: number,
  norms: readonly string[],
  isTaken: (place: number) => boolean,
): number | undefined {
  let at = place
  for (const [index, norm] of norms.entries()) {
    while (index > 0 && tokens[at]?.kind === 'sign' && inside.has(tokens[at]!.norm)) at++
    const token = tokens[at]
    if (token === undefined || isTaken(at)) return undefined
    const isLast = index === norms.length - 1
    if (token.norm !== norm && !(isLast && singularsOf(token.norm).includes(norm))) return undefined
    at++
  }
  return at
}

const singularsOf = (word: string): string[] => [
  ...(word.length > 3 && word.endsWith('s') ? [word.slice(0, -1)] : []),
  ...(word.length > 4 && word.endsWith('es') ? [word.slice(0, -2)] : []),
]

/** The match that is meant, if that is clear. */
function chosen(
  tokens: readonly Token[],
  place: number,
  matches: readonly Match[],
  { fields }: Known,
): FoundValue[] | undefined {
  const { to } = matches[0]!
  const keywords = fields.filter(({ type }) => type === 'keyword')
  const before = nameBefore(tokens, place, keywords)
  const after = before === undefined ? nameAfter(tokens, to, keywords) : undefined
  const named = before?.field ?? after?.field
  const meant = matches.some(({ field }) => field === named)
    ? matches.filter(({ field }) => field === named)
    : matches
  const isNamed = meant[0]!.field === named
  const [{ field, value, norms }] = meant as [Match]
  // Two fields have it, or two values of one field are written alike.
  if (meant.some((other) => other.field !== field || other.value !== value)) return undefined
  const from = isNamed ? (before?.from ?? place) : place
  const end = isNamed ? (after?.to ?? to) : to
  if (!isNamed && (isWeak(norms) || isBlocked(tokens, place, to))) return undefined
  const start = negationBefore(tokens, from)
  return [{ field, value, isNegated: start !== undefined, from: start ?? from, to: end }]
}

/** Short codes, numbers and everyday words need the name of their field: "size M", "size 42". */
const isWeak = (norms: readonly string[]): boolean =>
  norms.every((norm) => norm.length <= 2 || /^\d+$/.test(norm) || stopWords.has(norm))

function isBlocked(tokens: readonly Token[], from: number, to: number): boolean {
  const [one, two] = [tokens[from - 1]?.norm ?? '', tokens[from - 2]?.norm ?? '']
  const hyphen = tokens[to]?.norm === '-' ? 1 : 0
  return (
    blocksBefore.has(one) ||
    pairsBefore.has(`${two} ${one}`) ||
    blocksAfter.has(tokens[to + hyphen]?.norm ?? '')
  )
}

/** Where the negation of a value begins: "not Acme", "not from Acme", "non-leather". */
function negationBefore(tokens: readonly Token[], from: number): number | undefined {
  const start = [from, withLeads(tokens, from)].find((place) => negations.has(tokens[place - 1]?.norm ?? ''))
  if (start !== undefined) return start - 1
  return tokens[from - 1]?.norm === '-' && tokens[from - 2]?.norm === 'non' ? from - 2 : undefined
}

/** Several values of a field as one condition: one of them, or none of those that are negated. */
export function readingsOf(tokens: readonly Token[], found: readonly FoundValue[]): Reading[][] {
  const allowed = found.filter(({ field, isNegated }) => {
    const operators: readonly string[] = field.operators
    return operators.includes(isNegated ? 'not' : 'is')
  })
  const groups = groupBy(allowed, ({ field, isNegated }) => `${isNegated} ${field.name}`)
  return Array.from(groups.values(), (group) => {
    const values = [...new Set(group.map(({ value }) => value))]
    const { field, isNegated } = group[0]!
    const condition = { field: field.name, ...(isNegated ? { not: values } : { is: values }) }
    return group.map(({ from, to }) => ({ field, condition, from: withLeads(tokens, from), to }))
  })
}

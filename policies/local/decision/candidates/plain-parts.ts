import { articles, type Stretch, type Wording } from './wording.ts'

/** The maximum number of words of a thing without a name. */
const maxWords = 4

/**
 * The things without a name that a question compares or lists, if small words mark them: "between a and b", "both a and b", "a vs
 * b", "a or b?". If nothing marks their length, they have the same number of words.
 */
export function plainParts(wording: Wording): readonly Stretch[] {
  const { lower, gaps, names, isNamed, says } = wording
  const size = lower.length
  return between() ?? versus() ?? (names.length === 0 ? (both() ?? joined()) : undefined) ?? []

  function between(): readonly Stretch[] | undefined {
    const from = lower.indexOf('between')
    const and = lower.indexOf('and', from)
    if (from === -1 || and === -1 || isNamed(and)) return undefined
    const [first, second] = [trimmed(from + 1, and), after(and)]
    const isAsked = lower.slice(from, and).some((word) => word === 'which' || word === 'what')
    const isTime = [first, second].every(([start]) => /^\d+$/.test(lower[start] ?? ''))
    return isAsked || isTime ? [] : things(first, second)
  }

  function versus(): readonly Stretch[] | undefined {
    const at = lower.findIndex((word) => word === 'vs' || word === 'versus')
    return at === -1 || isNamed(at) ? undefined : alike(at)
  }

  function both(): readonly Stretch[] | undefined {
    const from = lower.indexOf('both')
    const and = lower.indexOf('and', from)
    if (from === -1 || and === -1) return undefined
    const first = trimmed(from + 1, and)
    const [start, end] = after(and)
    return things(first, [start, Math.min(end, start + first[1] - first[0])])
  }

  /**
   * Splits at "or" at the end of the question. Splits at any joining word if one side has a single word, or if commas mark a
   * list.
   */
  function joined(): readonly Stretch[] | undefined {
    const at = lower.findIndex((word, place) => place > 0 && (word === 'and' || word === 'or'))
    if (at === -1) return undefined
    const isLast = lower[at] === 'or' && after(at)[1] === size
    const isSingle = saying(0, at) < 2 || saying(at + 1, size) < 2
    return isLast || isSingle || isListed(before(at)) ? alike(at) : undefined
  }

  /** Things with the same number of words before and after a joining word, and before the comma in front of it. */
  function alike(at: number): readonly Stretch[] | undefined {
    const [first, second] = [before(at), after(at)]
    const earlier = isListed(first) ? before(first[0]) : undefined
    if (earlier !== undefined && isListed(earlier)) return undefined
    const lengths = [first, second].map(([start, end]) => end - start)
    const length = Math.min(...lengths)
    const last = ([start, end]: Stretch): Stretch => [Math.max(start, end - length), end]
    const [start, end] = second
    const both = things(last(first), [start, Math.min(end, start + length)])
    return both && (earlier === undefined ? both : things(last(earlier), first, second))
  }

  function isListed([start]: Stretch): boolean {
    return start > 0 && /^\s*,\s*$/.test(gaps[start]!)
  }

  /** The meaningful words before a place, back to a small word or a break. */
  function before(at: number): Stretch {
    let start = at
    while (start > 0 && says(start - 1) && (start === at || isJoined(start))) start--
    return [start, at]
  }

  function after(at: number): Stretch {
    let start = at + 1
    while (start < size && articles.has(lower[start]!)) start++
    let end = start
    while (end < size && says(end) && (end === start || isJoined(end))) end++
    return [start, end]
  }

  /** Whether no punctuation precedes a word. */
  function isJoined(place: number): boolean {
    return /^(['’]s)?[\s-]*$/i.test(gaps[place]!)
  }

  function trimmed(from: number, to: number): Stretch {
    let [start, end] = [from, to]
    while (start < end && !says(start)) start++
    while (start < end && !says(end - 1)) end--
    return [start, end]
  }

  function saying(from: number, to: number): number {
    let count = 0
    for (let place = from; place < to; place++) if (says(place)) count++
    return count
  }

  function things(...stretches: readonly Stretch[]): readonly Stretch[] | undefined {
    const isThing = ([start, end]: Stretch): boolean => end > start && end - start <= maxWords
    return stretches.every(isThing) ? stretches : undefined
  }
}

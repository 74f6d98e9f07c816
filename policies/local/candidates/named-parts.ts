import { articles, joining, type Stretch, type Wording } from './wording.ts'

/** Words between two names that are joined, and names of an enumeration. */
const maxWordsBetween = 3
const maxListedNames = 3

/** Words that tell of two things, so that a comma stands within the name of one: "Which is older, Goodbye, Boys or …". */
const pairing = new Set(
  (
    'both same share older younger earlier later sooner more less larger bigger smaller taller higher longer shorter ' +
    'better farther further closer'
  ).split(' '),
)

/**
 * The names that a question sets side by side: those on both sides of a joining word, and all of "A, B or C". Where it asks to
 * choose, names that are joined otherwise are not meant: "Bedknobs and Broomsticks or Alien" are two.
 */
export function namedParts(wording: Wording): readonly Stretch[] {
  const { words, lower } = wording
  const choices = pairsOf(withAnd(wording), (between) => words.slice(...between).includes('or'))
  const pairs =
    choices.length > 0
      ? choices
      : pairsOf(wording.names, (between) => lower.slice(...between).some((word) => joining.has(word)))
  const [pair] = pairs
  const list = pairs.length === 1 && pair !== undefined ? listed(pair, wording, choices.length > 0) : []
  return list.length > 0 ? list : [...new Set(pairs.flat())]
}

type Pair = readonly [Stretch, Stretch]

/** Neighbors with little between them, and that as it is wanted. */
function pairsOf(names: readonly Stretch[], isWanted: (between: Stretch) => boolean): Pair[] {
  return names
    .slice(1)
    .map((name, index): Pair => [names[index]!, name])
    .filter(([[, end], [start]]) => start - end <= maxWordsBetween && isWanted([end, start]))
}

/** The names, where those with nothing but "and" between them are one. */
function withAnd({ names, lower }: Wording): Stretch[] {
  const all: Stretch[] = []
  for (const [start, end] of names) {
    const last = all.at(-1)
    if (last?.[1] === start - 1 && lower[start - 1] === 'and') all[all.length - 1] = [last[0], end]
    else all.push([start, end])
  }
  return all
}

/** The names of "A, B or C", of which the first two were read as one; none where they are one. */
function listed([before, after]: Pair, { lower, gaps }: Wording, isChoice: boolean): readonly Stretch[] {
  const pieces = atCommas(before)
  if (pieces.length === 1 || atCommas(after).length > 1) return []
  const isPair = lower.some((word) => pairing.has(word))
  const isBroken = gaps[before[1]]!.includes(',')
  let first = before[0]
  while (articles.has(lower[first - 1]!)) first--
  // "Which is in A, B or C?": without a comma before it, the first name belongs to the question.
  if (isChoice && first > 0 && !/[,:;]/.test(gaps[first]!)) return few([...pieces.slice(1), after])
  return isPair && !isBroken ? [] : few([...pieces, after])

  function atCommas([start, end]: Stretch): Stretch[] {
    const cuts: number[] = []
    for (let place = start + 1; place < end; place++) if (/^\s*,\s+$/.test(gaps[place]!)) cuts.push(place)
    return [start, ...cuts].map((from, index) => [from, cuts[index] ?? end])
  }
}

const few = (names: readonly Stretch[]): readonly Stretch[] => (names.length > maxListedNames ? [] : names)

import { articles, joining, type Stretch, type Wording } from './wording.ts'

/** The maximum number of words between two joined names, and the maximum number of names in an enumeration. */
const maxWordsBetween = 3
const maxListedNames = 3

/** Words that announce two things. With one of them, a comma belongs to a name: "Which is older, Goodbye, Boys or …". */
const pairing = new Set(
  (
    'both same share older younger earlier later sooner more less larger bigger smaller taller higher longer shorter ' +
    'better farther further closer'
  ).split(' '),
)

/**
 * The names that a question compares or lists: those on both sides of a joining word, and all of "A, B or C". If the question
 * offers a choice, names that are joined otherwise do not count: "Bedknobs and Broomsticks or Alien" has two.
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

/** Neighboring names with at most three words between them that `isWanted` accepts. */
function pairsOf(names: readonly Stretch[], isWanted: (between: Stretch) => boolean): Pair[] {
  return names
    .slice(1)
    .map((name, index): Pair => [names[index]!, name])
    .filter(([[, end], [start]]) => start - end <= maxWordsBetween && isWanted([end, start]))
}

/** The names. Names with nothing but "and" between them are merged into one. */
function withAnd({ names, lower }: Wording): Stretch[] {
  const all: Stretch[] = []
  for (const [start, end] of names) {
    const last = all.at(-1)
    if (last?.[1] === start - 1 && lower[start - 1] === 'and') all[all.length - 1] = [last[0], end]
    else all.push([start, end])
  }
  return all
}

/** The names of "A, B or C", if the parser read "A, B" as one name. Empty if "A, B" really is one name. */
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

/** The sets of candidates among which the policy chooses, and their features. */
import { type Candidate, kinds } from './candidates/candidate.ts'
import { contextFeatures } from './query-context.ts'

/**
 * One set: the indices of its candidates, and whether the original query votes with them. An empty set is the original query
 * alone.
 */
export interface Action {
  readonly members: readonly number[]
  readonly withOriginal: boolean
}

/** A component of a set: all names, all parts, or one candidate of another kind. */
const slots = [
  'keywords',
  'parts',
  'names',
  'carry-over 1',
  'carry-over 2',
  'carry-over 3',
  'carry-over 4',
  'expansion',
  'bridge 1',
  'bridge 2',
  'bridge 3',
  'bridge 4',
  'bridge with the rest 1',
] as const

type Slot = (typeof slots)[number]

const rewrites: readonly (readonly Slot[])[] = [[], ['keywords'], ['parts'], ['names'], ['names', 'keywords']]

const bridges: readonly (readonly Slot[])[] = [
  [],
  ['bridge 1'],
  ['bridge 2'],
  ['bridge 1', 'bridge 2'],
  ['bridge 1', 'bridge 3'],
  ['bridge 2', 'bridge 3'],
  ['bridge 1', 'bridge 2', 'bridge 3'],
  ['bridge 1', 'bridge 2', 'bridge 3', 'bridge 4'],
  ['bridge with the rest 1'],
  ['bridge 1', 'bridge with the rest 1'],
  ['bridge 1', 'bridge 2', 'bridge with the rest 1'],
]

const others: readonly (readonly Slot[])[] = [
  ['expansion'],
  ['expansion', 'bridge 1'],
  ['carry-over 1'],
  ['carry-over 2'],
  ['carry-over 3'],
  ['carry-over 4'],
  ['carry-over 1', 'carry-over 2'],
  ['carry-over 1', 'carry-over 3'],
  ['carry-over 2', 'carry-over 3'],
  ['carry-over 1', 'carry-over 4'],
  ['carry-over 2', 'carry-over 4'],
]

const templates: readonly (readonly Slot[])[] = [
  ...rewrites.flatMap((rewrite) => bridges.map((bridge) => [...rewrite, ...bridge])),
  ...others,
]

/** The maximum number of first-stage sub-queries in a set. */
const maxFirstStage = 3

function slotOf({ kind, place }: Candidate): Slot | undefined {
  const slot =
    kind === 'name'
      ? 'names'
      : kind === 'part'
        ? 'parts'
        : kind === 'keywords' || kind === 'expansion'
          ? kind
          : `${kind} ${place}`
  return (slots as readonly string[]).includes(slot) ? (slot as Slot) : undefined
}

/** All sets that the candidates allow. The first one is the original query alone. */
export function actionsOf(candidates: readonly Candidate[]): Action[] {
  const filled = new Map<Slot, number[]>()
  candidates.forEach((candidate, index) => {
    const slot = slotOf(candidate)
    if (slot !== undefined) filled.set(slot, [...(filled.get(slot) ?? []), index])
  })
  const choices: Action[] = []
  for (const template of templates) {
    if (!template.every((slot) => filled.has(slot))) continue
    const members = template.flatMap((slot) => filled.get(slot)!)
    if (members.filter((member) => candidates[member]!.from === undefined).length > maxFirstStage) continue
    choices.push({ members, withOriginal: true })
    if (members.length > 0) choices.push({ members, withOriginal: false })
  }
  return choices
}

/** Properties of a set whose worth depends on the query: each is multiplied by every feature of the query. */
const aspects: readonly {
  readonly name: string
  readonly of: (chosen: readonly Candidate[], withOriginal: boolean) => number
}[] = [
  { name: 'voting original', of: (_, withOriginal) => Number(withOriginal) },
  { name: 'bridges', of: (chosen) => count(chosen, ({ from }) => from !== undefined) },
  { name: 'names', of: (chosen) => Number(chosen.some(({ kind }) => kind === 'name' || kind === 'part')) },
  {
    name: 'rewrites',
    of: (chosen) => count(chosen, ({ kind }) => kind === 'keywords' || kind === 'expansion'),
  },
  { name: 'carry-over', of: (chosen) => count(chosen, ({ kind }) => kind === 'carry-over') },
  { name: 'lists', of: (chosen, withOriginal) => chosen.length + Number(withOriginal) },
  { name: 'left alone', of: (chosen) => Number(chosen.length === 0) },
]

function count(chosen: readonly Candidate[], wanted: (candidate: Candidate) => boolean): number {
  return chosen.filter(wanted).length
}

/** The composition of a set, independent of the query. A policy without context features sees only these. */
export const shapeInputs: readonly string[] = [
  'the query as it is votes',
  ...slots.map((slot) => `has ${slot}`),
  ...[1, 2, 3, 4, 5, 6].map((size) => `lists: ${size}`),
]

/** The properties of a set by itself. */
export const setInputs: readonly string[] = [
  ...shapeInputs,
  ...kinds.flatMap((kind) => [`${kind}: strength`, `${kind}: gap`, `${kind}: found`]),
  'bridges: different seeds',
]

export const actionInputs: readonly string[] = [
  ...setInputs,
  ...aspects.flatMap(({ name }) => contextFeatures.map((feature) => `${name} × ${feature}`)),
]

/** The features, actions × actionInputs. `query` holds the query's features, by `contextFeatures`. */
export function actionFeatures(
  choices: readonly Action[],
  candidates: readonly Candidate[],
  query: ArrayLike<number>,
): Float32Array {
  const width = actionInputs.length
  const features = new Float32Array(choices.length * width)
  choices.forEach(({ members, withOriginal }, index) => {
    const row = features.subarray(index * width, (index + 1) * width)
    const chosen = members.map((member) => candidates[member]!)
    const lists = chosen.length + (withOriginal ? 1 : 0)
    row[0] = withOriginal ? 1 : 0
    for (const candidate of chosen) {
      const slot = slotOf(candidate)
      if (slot !== undefined) row[1 + slots.indexOf(slot)] = 1
    }
    row[1 + slots.length + Math.min(lists, 6) - 1] = 1
    let at = shapeInputs.length
    for (const kind of kinds) {
      for (const candidate of chosen) {
        if (candidate.kind !== kind) continue
        row[at]! += candidate.strength
        row[at + 1]! += candidate.gap
        row[at + 2]! += candidate.found
      }
      at += 3
    }
    const froms = new Set(chosen.map(({ from }) => from).filter((from) => from !== undefined))
    row[at++] = Math.max(0, froms.size - 1)
    for (const aspect of aspects) {
      const weight = aspect.of(chosen, withOriginal)
      for (let input = 0; input < contextFeatures.length; input++) row[at++] = weight * query[input]!
    }
  })
  return features
}

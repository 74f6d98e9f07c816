/** The output of ranx 0.3.20 for every method and normalization on three runs of three queries. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { normalizeLists, normNames } from '../../fusion/common/normalize.ts'
import { fusionByName, fusions, ranxNames } from '../../fusion/index.ts'
import type { Hit, RankedList } from '../../src/types.ts'
import { list, scoresOf } from './lists.ts'

type Scores = Readonly<Record<string, number>>
type Run = Readonly<Record<string, Scores>>

const golden: {
  readonly inputs: { readonly A: Run; readonly B: Run; readonly C: Run }
  /** "method|norm|parameters" → qid → [docid, score] in ranx's order. */
  readonly fuse: Readonly<Record<string, Readonly<Record<string, readonly (readonly [string, number])[]>>>>
  /** Norm → the three runs, normalized. */
  readonly norm: Readonly<Record<string, readonly Run[]>>
} = JSON.parse(readFileSync(new URL('../fixtures/golden/ranx-fuse.json', import.meta.url), 'utf8'))

const runs = [golden.inputs.A, golden.inputs.B, golden.inputs.C]
const qids = Object.keys(golden.inputs.A)

/** The fixture's docids are letters and digits, which an object keeps in order. */
const listOf = (run: Run, qid: string): RankedList => list(Object.entries(run[qid]!))

/**
 * The lists that ranx fused. Its borda normalization leaves the documents in the order of a Python set, which its rank-based
 * methods then use as the ranking; so Querent's methods get ranx's normalized lists.
 */
function listsFor(norm: string, qid: string): RankedList[] {
  const given = norm === 'borda' ? golden.norm.borda! : runs
  return given.map((run) => listOf(run, qid))
}

interface Case {
  readonly name: string
  readonly method: string
  readonly norm: string
  readonly parameters: Readonly<Record<string, unknown>>
  readonly weights: readonly number[] | undefined
}

const cases = Object.keys(golden.fuse).map((name): Case => {
  const [method, norm, json] = name.split('|') as [string, string, string]
  const { weights, map_scores: maps, ...parameters } = JSON.parse(json)
  return {
    name,
    method,
    norm: norm === 'None' ? 'none' : norm,
    parameters: maps === undefined ? parameters : { ...parameters, maps },
    weights,
  }
})

function fuse({ method, norm, parameters, weights }: Case, qid: string): Hit[] {
  const fusion = fusionByName(method, parameters)
  const own = norm === 'borda' ? 'none' : norm
  return fusion.fuse(listsFor(norm, qid), { norm: own, ...(weights !== undefined && { weights }) })
}

it('has the 147 entries', () => expect(cases).toHaveLength(147))

it("has every method of ranx's that needs no training, and mapfuse", () => {
  const trained = ['posfuse', 'probfuse', 'segfuse', 'slidefuse', 'bayesfuse']
  const methods = new Set(cases.map(({ method }) => method))
  const ofRanx = Object.keys(fusions).slice(0, Object.keys(fusions).indexOf('relative-score'))
  const aliases: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(ranxNames).map(([alias, name]) => [name, alias]),
  )
  const expected = ofRanx.filter((name) => name !== 'rank-score' && !trained.includes(name))
  expect([...methods].sort()).toEqual(expected.map((name) => aliases[name] ?? name).sort())
})

const isCondorcet = ({ method }: Case): boolean => method.endsWith('condorcet')

describe.each(cases.filter((one) => !isCondorcet(one)))('$name', (one) => {
  it.each(qids)("gives %s ranx's scores, in an order that they allow", (qid) => {
    const expected = golden.fuse[one.name]![qid]!
    const hits = fuse(one, qid)
    expect(hits).toHaveLength(expected.length)
    const scores = scoresOf(hits)
    for (const [docid, score] of expected) expect(scores[docid], docid).toBeCloseTo(score, 9)
    for (const [place, { docid }] of hits.entries()) {
      const ranx = new Map(expected)
      const later = hits.slice(place + 1).filter((hit) => ranx.get(hit.docid)! > ranx.get(docid)! + 1e-9)
      expect(later, `after ${docid}`).toEqual([])
    }
  })
})

/**
 * ranx sorts the documents, taken from a Python set, by a comparison in which each of two tied documents comes before the
 * other, so its order depends on the seed of Python's hashes. Majority itself does not: if one document beats another, and no
 * cycle of majorities leads back, it must be ranked above it.
 */
describe.each(cases.filter(isCondorcet))('$name', (one) => {
  it.each(qids)('orders %s by majority', (qid) => {
    const lists = listsFor(one.norm, qid)
    const docids = golden.fuse[one.name]![qid]!.map(([docid]) => docid)
    const hits = fuse(one, qid)
    expect(hits.map(({ docid }) => docid).sort()).toEqual([...docids].sort())
    const places = new Map(hits.map(({ docid, rank }) => [docid, rank]))
    for (const [winner, loser] of surePairs(docids, lists, one.weights ?? [1, 1, 1])) {
      expect(places.get(winner), `${winner} before ${loser}`).toBeLessThan(places.get(loser)!)
    }
  })
})

/** Pairs in which the first beats the second, and the second does not beat the first through others. */
function surePairs(
  docids: readonly string[],
  lists: readonly RankedList[],
  weights: readonly number[],
): [string, string][] {
  const place = (docid: string, { hits }: RankedList): number => {
    const found = hits.findIndex((hit) => hit.docid === docid)
    return found === -1 ? Number.POSITIVE_INFINITY : found
  }
  const votes = (x: string, y: string): number =>
    lists.reduce((sum, one, index) => sum + (place(x, one) < place(y, one) ? weights[index]! : 0), 0)
  // reach: x beats or ties y, directly or over others (Warshall).
  const reach = new Set(
    docids.flatMap((x) => docids.filter((y) => votes(x, y) >= votes(y, x)).map((y) => `${x}>${y}`)),
  )
  for (const by of docids) {
    for (const x of docids) {
      for (const y of docids) if (reach.has(`${x}>${by}`) && reach.has(`${by}>${y}`)) reach.add(`${x}>${y}`)
    }
  }
  return docids.flatMap((x) =>
    docids.filter((y) => !reach.has(`${y}>${x}`)).map((y): [string, string] => [x, y]),
  )
}

describe.each(Object.keys(golden.norm))('the %s normalization', (norm) => {
  it.each(qids)("gives %s ranx's scores", (qid) => {
    const normalized = normalizeLists(
      runs.map((run) => listOf(run, qid)),
      norm,
    )
    for (const [index, { hits }] of normalized.entries()) {
      const expected = golden.norm[norm]![index]![qid]!
      const scores = scoresOf(hits)
      expect(Object.keys(scores).sort()).toEqual(Object.keys(expected).sort())
      for (const [docid, score] of Object.entries(expected))
        expect(scores[docid], docid).toBeCloseTo(score, 9)
    }
  })
})

it("has every normalization of ranx's", () => {
  expect([...normNames].sort()).toEqual(['none', ...Object.keys(golden.norm)].sort())
})

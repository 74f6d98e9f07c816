import { expect, it } from 'vitest'
import { type FusionName, fusionByName, fusionNames } from '../../fusion/index.ts'
import { type Conforming, conforms } from './conformance.ts'

/** Parameters of trained methods, the same for each list. */
const fitted: Partial<Record<FusionName, (lists: number) => Readonly<Record<string, unknown>>>> = {
  mapfuse: (lists) => ({ maps: Array(lists).fill(0.4) }),
  posfuse: (lists) => ({ probabilities: Array(lists).fill(falling) }),
  probfuse: (lists) => ({ probabilities: Array(lists).fill(falling.slice(0, 3)) }),
  segfuse: (lists) => ({ probabilities: Array(lists).fill(falling.slice(0, 3)) }),
  slidefuse: (lists) => ({ probabilities: Array(lists).fill(falling), window: 1 }),
  bayesfuse: (lists) => ({
    logOdds: Array(lists).fill(falling.map((value) => Math.log(value / (1 - value)))),
  }),
}
const falling = [0.9, 0.6, 0.5, 0.45, 0.3, 0.2, 0.15, 0.1, 0.05]

const weighted: readonly FusionName[] = [
  'rrf',
  'weighted-borda',
  'weighted-condorcet',
  'weighted-sum',
  'weighted-mnz',
  'mixed',
  'relative-score',
  'elasticsearch-rrf',
  'elasticsearch-linear',
  'opensearch',
  'opensearch-rrf',
  'qdrant-rrf',
  'weaviate-ranked',
]

const byRank: readonly FusionName[] = [
  'rank-score',
  'rrf',
  'isr',
  'log-isr',
  'logn-isr',
  'rbc',
  'borda',
  'weighted-borda',
  'condorcet',
  'weighted-condorcet',
  'mapfuse',
  'posfuse',
  'probfuse',
  'segfuse',
  'slidefuse',
  'bayesfuse',
  'elasticsearch-rrf',
  'opensearch-rrf',
  'qdrant-rrf',
  'weaviate-ranked',
]

const addsAsTheEngine =
  'three floats of 32 bits, added in the order of the lists as the engine does, depend on it'
const rawScoreFirst = 'the raw score in the last list comes before it, as in Weaviate'
const bordaShares = 'it gives every document (C + 1) / 2 points'

const gaps: Partial<Record<FusionName, NonNullable<Conforming['gaps']>>> = {
  borda: { 'an empty list changes nothing': bordaShares },
  'weighted-borda': { 'an empty list changes nothing': bordaShares },
  bayesfuse: { 'an empty list changes nothing': 'every document counts as absent from it' },
  opensearch: {
    'an empty list changes nothing': 'the arithmetic mean counts it as a score of 0',
    'the order of the lists does not matter': addsAsTheEngine,
  },
  'log-isr': { 'one list keeps its order': 'ln 1 = 0 is the score of every document' },
  probfuse: { 'one list keeps its order': 'the documents of a segment are equal' },
  'elasticsearch-rrf': { 'the order of the lists does not matter': addsAsTheEngine },
  'elasticsearch-linear': { 'the order of the lists does not matter': addsAsTheEngine },
  'opensearch-rrf': { 'the order of the lists does not matter': addsAsTheEngine },
  'qdrant-rrf': { 'the order of the lists does not matter': addsAsTheEngine },
  'qdrant-dbsf': { 'the order of the lists does not matter': addsAsTheEngine },
  'weaviate-ranked': {
    'the order of the lists does not matter': addsAsTheEngine,
    'docid alone decides between equals': rawScoreFirst,
  },
  'relative-score': {
    'the order of the lists does not matter': addsAsTheEngine,
    'docid alone decides between equals': rawScoreFirst,
  },
}

for (const name of fusionNames) {
  conforms({
    name,
    create: (lists) => fusionByName(name, fitted[name]?.(Math.max(lists, 1)) ?? {}),
    weighted: weighted.includes(name),
    ranks: byRank.includes(name),
    gaps: gaps[name] ?? {},
  })
}

const skipsMissing = { 'the order of the lists does not matter': addsAsTheEngine } as const

/** The variants of methods that have several. */
const variants: readonly Omit<Conforming, 'create'>[] = [
  { name: 'rrf {"k":0}', weighted: true, ranks: true },
  { name: 'comb-gmnz {"gamma":0}' },
  { name: 'elasticsearch-linear {"normalizer":"minmax"}', weighted: true, gaps: skipsMissing },
  { name: 'elasticsearch-linear {"normalizer":"l2_norm"}', weighted: true, gaps: skipsMissing },
  { name: 'opensearch {"normalization":"l2"}', weighted: true, gaps: gaps.opensearch! },
  { name: 'opensearch {"combination":"geometric_mean"}', weighted: true, gaps: skipsMissing },
  { name: 'opensearch {"combination":"harmonic_mean"}', weighted: true, gaps: skipsMissing },
  {
    name: 'opensearch {"normalization":"z_score","combination":"harmonic_mean"}',
    weighted: true,
    gaps: {
      ...skipsMissing,
      'one list keeps its order': 'all scores below the mean become 0.001',
      'a better rank never places a document lower':
        'a score that is the mean becomes the largest of its list',
    },
  },
]

for (const variant of variants) {
  const [name, json] = variant.name.split(' ') as [FusionName, string]
  conforms({ ...variant, create: () => fusionByName(name, JSON.parse(json)) })
}

it('declares gaps, weights and ranks only for methods that exist', () => {
  expect(fusionNames).toEqual(
    expect.arrayContaining([...Object.keys(gaps), ...Object.keys(fitted), ...weighted, ...byRank]),
  )
})

/**
 * `querent/fusion`: all fusion methods by name.
 *
 * @module querent/fusion
 */
import { QuerentError } from '../src/errors.ts'
import type { Fusion } from '../src/types.ts'
import { bayesfuse } from './bayesfuse.ts'
import { borda } from './borda.ts'
import { combAnz } from './comb-anz.ts'
import { combGmnz } from './comb-gmnz.ts'
import { combMax } from './comb-max.ts'
import { combMed } from './comb-med.ts'
import { combMin } from './comb-min.ts'
import { combMnz } from './comb-mnz.ts'
import { combSum } from './comb-sum.ts'
import { condorcet } from './condorcet.ts'
import { elasticsearchLinear } from './elasticsearch-linear.ts'
import { elasticsearchRrf } from './elasticsearch-rrf.ts'
import { isr } from './isr.ts'
import { logIsr } from './log-isr.ts'
import { lognIsr } from './logn-isr.ts'
import { mapfuse } from './mapfuse.ts'
import { mixed } from './mixed.ts'
import { opensearch } from './opensearch.ts'
import { opensearchRrf } from './opensearch-rrf.ts'
import { posfuse } from './posfuse.ts'
import { probfuse } from './probfuse.ts'
import { qdrantDbsf } from './qdrant-dbsf.ts'
import { qdrantRrf } from './qdrant-rrf.ts'
import { rankScore } from './rank-score.ts'
import { rbc } from './rbc.ts'
import { relativeScore } from './relative-score.ts'
import { rrf } from './rrf.ts'
import { segfuse } from './segfuse.ts'
import { slidefuse } from './slidefuse.ts'
import { weaviateRanked } from './weaviate-ranked.ts'
import { weightedBorda } from './weighted-borda.ts'
import { weightedCondorcet } from './weighted-condorcet.ts'
import { weightedMnz } from './weighted-mnz.ts'
import { weightedSum } from './weighted-sum.ts'

export type { BayesfuseOptions } from './bayesfuse.ts'
export type { LowerBound, UpperBound } from './common/opensearch-norms.ts'
export type { ElasticsearchLinearOptions } from './elasticsearch-linear.ts'
export type { MapfuseOptions } from './mapfuse.ts'
export type { OpensearchOptions } from './opensearch.ts'
export type { PosfuseOptions } from './posfuse.ts'
export type { ProbfuseOptions } from './probfuse.ts'
export type { SegfuseOptions } from './segfuse.ts'
export type { SlidefuseOptions } from './slidefuse.ts'

/** Name → factory. The name is the file's; the factory takes the method's own parameters. */
export const fusions = {
  'rank-score': rankScore,
  rrf,
  isr,
  'log-isr': logIsr,
  'logn-isr': lognIsr,
  rbc,
  borda,
  'weighted-borda': weightedBorda,
  condorcet,
  'weighted-condorcet': weightedCondorcet,
  'comb-sum': combSum,
  'comb-mnz': combMnz,
  'comb-gmnz': combGmnz,
  'comb-anz': combAnz,
  'comb-max': combMax,
  'comb-min': combMin,
  'comb-med': combMed,
  'weighted-sum': weightedSum,
  'weighted-mnz': weightedMnz,
  mixed,
  mapfuse,
  posfuse,
  probfuse,
  segfuse,
  slidefuse,
  bayesfuse,
  'relative-score': relativeScore,
  'elasticsearch-rrf': elasticsearchRrf,
  'elasticsearch-linear': elasticsearchLinear,
  opensearch,
  'opensearch-rrf': opensearchRrf,
  'qdrant-rrf': qdrantRrf,
  'qdrant-dbsf': qdrantDbsf,
  'weaviate-ranked': weaviateRanked,
} as const satisfies Record<string, (parameters: never) => Fusion>

export type FusionName = keyof typeof fusions

export const fusionNames = Object.keys(fusions) as readonly FusionName[]

/** ranx's names for the methods that have another name there. */
export const ranxNames = {
  sum: 'comb-sum',
  mnz: 'comb-mnz',
  gmnz: 'comb-gmnz',
  anz: 'comb-anz',
  max: 'comb-max',
  min: 'comb-min',
  med: 'comb-med',
  log_isr: 'log-isr',
  logn_isr: 'logn-isr',
  bordafuse: 'borda',
  w_bordafuse: 'weighted-borda',
  w_condorcet: 'weighted-condorcet',
  wsum: 'weighted-sum',
  wmnz: 'weighted-mnz',
} as const satisfies Record<string, FusionName>

/** Methods that need parameters → the function that makes them from judged queries. */
const fitted: ReadonlyMap<string, string> = new Map([
  ['mapfuse', 'fitMapfuse'],
  ['posfuse', 'fitPosfuse'],
  ['probfuse', 'fitProbfuse'],
  ['segfuse', 'fitSegfuse'],
  ['slidefuse', 'fitPosfuse'],
  ['bayesfuse', 'fitBayesfuse'],
] satisfies [FusionName, string][])
const unfitted = fusionNames.filter((name) => !fitted.has(name)).join(', ')

type Factory = (parameters: unknown) => Fusion

const factories: ReadonlyMap<string, Factory> = new Map([
  ...Object.entries(fusions as unknown as Record<FusionName, Factory>),
  ...Object.entries(ranxNames).map(([alias, name]) => [alias, fusions[name] as Factory] as const),
])

/**
 * Makes a fusion method by its name, or by ranx's name for it.
 *
 * @param parameters the method's own parameters
 * @throws QuerentError `bad-config` for an unknown name or parameter, or if a fitted method gets no parameters
 */
export function fusionByName(name: string, parameters: Readonly<Record<string, unknown>> = {}): Fusion {
  const factory = factories.get(name)
  if (factory === undefined) {
    throw new QuerentError('bad-config', `No fusion method is called "${name}"`, {
      remedy: `Choose one of ${unfitted}. A program can also fit ${[...fitted.keys()].join(', ')}.`,
    })
  }
  const names = Object.keys(parameters)
  const fit = fitted.get(name)
  if (fit !== undefined && names.length === 0)
    throw new QuerentError(
      'bad-config',
      `The fusion method ${name} must be fitted on judged queries first, which only a program can do`,
      {
        remedy: `In a program, use ${name}(${fit}(runs, qrels)): see docs/fusion.md, "Fitted methods". Without fitting, choose one of ${unfitted}.`,
      },
    )
  // A factory with parameters checks them itself; one without would ignore them.
  if (factory.length === 0 && names.length > 0) {
    throw new QuerentError('bad-config', `${name} takes no parameters, but got ${names.join(', ')}`)
  }
  return factory(parameters)
}

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
import { type FusionName, fusionNamed } from './common/names.ts'
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
export { type FusionName, fusionNames, ranxNames } from './common/names.ts'
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
} as const satisfies Record<FusionName, (parameters: never) => Fusion>

type Factory = (parameters: unknown) => Fusion

/**
 * Makes a fusion method by its name, or by ranx's name for it.
 *
 * @param parameters the method's own parameters
 * @throws QuerentError `bad-config` for an unknown name or parameter, or if a fitted method gets no parameters
 */
export function fusionByName(name: string, parameters: Readonly<Record<string, unknown>> = {}): Fusion {
  const names = Object.keys(parameters)
  const factory = fusions[fusionNamed(name, names.length > 0)] as Factory
  // A factory with parameters checks them itself; one without would ignore them.
  if (factory.length === 0 && names.length > 0) {
    throw new QuerentError('bad-config', `${name} takes no parameters, but got ${names.join(', ')}`)
  }
  return factory(parameters)
}

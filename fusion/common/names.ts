/** The names of all fusion methods, which can be checked without loading the methods. */
import { QuerentError } from '../../src/errors.ts'

export const fusionNames = [
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
  'comb-sum',
  'comb-mnz',
  'comb-gmnz',
  'comb-anz',
  'comb-max',
  'comb-min',
  'comb-med',
  'weighted-sum',
  'weighted-mnz',
  'mixed',
  'mapfuse',
  'posfuse',
  'probfuse',
  'segfuse',
  'slidefuse',
  'bayesfuse',
  'relative-score',
  'elasticsearch-rrf',
  'elasticsearch-linear',
  'opensearch',
  'opensearch-rrf',
  'qdrant-rrf',
  'qdrant-dbsf',
  'weaviate-ranked',
] as const

export type FusionName = (typeof fusionNames)[number]

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

/** Methods that need parameters, which only a program can fit. */
export const fittedNames: readonly string[] = [...fitted.keys()]

/** Methods that fuse as they are. */
export const unfittedNames: readonly FusionName[] = fusionNames.filter((name) => !fitted.has(name))

const known: ReadonlyMap<string, FusionName> = new Map([
  ...fusionNames.map((name) => [name, name] as const),
  ...Object.entries(ranxNames),
])

/**
 * The method of that name, or of ranx's name for it.
 *
 * @param isFitted whether it gets parameters
 * @throws QuerentError `bad-config` for an unknown name, or if a fitted method gets no parameters
 */
export function fusionNamed(name: string, isFitted = false): FusionName {
  const found = known.get(name)
  if (found === undefined) {
    throw new QuerentError('bad-config', `No fusion method is called "${name}"`, {
      remedy: `Choose one of ${unfittedNames.join(', ')}. A program can also fit ${fittedNames.join(', ')}.`,
    })
  }
  const fit = fitted.get(name)
  if (fit !== undefined && !isFitted)
    throw new QuerentError(
      'bad-config',
      `The fusion method ${name} must be fitted on judged queries first, which only a program can do`,
      {
        remedy: `In a program, use ${name}(${fit}(runs, qrels)): see docs/fusion.md, "Fitted methods". Without fitting, choose one of ${unfittedNames.join(', ')}.`,
      },
    )
  return found
}

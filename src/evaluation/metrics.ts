/**
 * Parses metric names in ranx's syntax: `ndcg@10`, `map@5`, `recall@100`, `precision@5-l2`, `rbp.80`. Names of trec_eval
 * (`P_5`, `ndcg_cut_10`, `recip_rank`, `Rprec`) and of papers (`nDCG@10`, `MRR@3`, `R@4`) are aliases.
 */
import { QuerentError } from '../errors.ts'
import { bpref } from './metrics/bpref.ts'
import { dcg, dcgBurges, ndcg, ndcgBurges } from './metrics/dcg.ts'
import type { Grades, MetricOptions, Ranking } from './metrics/judgments.ts'
import {
  all,
  averagePrecision,
  f1,
  hits,
  judged,
  lastHop,
  precision,
  recall,
  reciprocalRank,
  rPrecision,
  success,
} from './metrics/measures.ts'
import { rbp } from './metrics/rbp.ts'

/** A metric with its cut-off and relevance level. */
export interface Metric {
  /** The name as the caller wrote it: the key in results and the heading in tables. */
  readonly name: string
  /** The cut-off. Absent: all hits count. */
  readonly k?: number
  /** The value for one query. The ranking is not sorted again. */
  compute(ranking: Ranking, grades: Grades): number
}

/** `cut-off`: takes an optional `@k`. `whole`: takes no `@k`. `persistence`: takes a required `.p` instead, as in `rbp.80`. */
type Form = 'cut-off' | 'whole' | 'persistence'

const families = {
  ndcg: { form: 'cut-off', compute: ndcg },
  ndcg_burges: { form: 'cut-off', compute: ndcgBurges },
  dcg: { form: 'cut-off', compute: dcg },
  dcg_burges: { form: 'cut-off', compute: dcgBurges },
  map: { form: 'cut-off', compute: averagePrecision },
  mrr: { form: 'cut-off', compute: reciprocalRank },
  precision: { form: 'cut-off', compute: precision },
  recall: { form: 'cut-off', compute: recall },
  f1: { form: 'cut-off', compute: f1 },
  success: { form: 'cut-off', compute: success },
  hit_rate: { form: 'cut-off', compute: success },
  hits: { form: 'cut-off', compute: hits },
  all: { form: 'cut-off', compute: all },
  last_hop: { form: 'cut-off', compute: lastHop },
  judged: { form: 'cut-off', compute: judged },
  'r-precision': { form: 'whole', compute: rPrecision },
  bpref: { form: 'whole', compute: bpref },
  rbp: { form: 'persistence', compute: rbp },
} satisfies Record<
  string,
  {
    form: Form
    compute: (ranking: Ranking, grades: Grades, options: MetricOptions & { readonly p: number }) => number
  }
>

type Family = keyof typeof families

/** Aliases from trec_eval, ir_measures and papers, in lower case. Lookup ignores case. */
const aliases: Readonly<Record<string, Family>> = {
  ndcg_cut: 'ndcg',
  ap: 'map',
  map_cut: 'map',
  rr: 'mrr',
  recip_rank: 'mrr',
  p: 'precision',
  set_p: 'precision',
  r: 'recall',
  set_recall: 'recall',
  set_f: 'f1',
  rprec: 'r-precision',
}

/** The names that `parseMetric` accepts, without aliases. */
export const metricNames: readonly string[] = Object.keys(families)

const pattern =
  /^(?<name>[a-z][a-z0-9_-]*?)(?:\.(?<p>\d+))?(?:[@_](?<k>\d+))?(?:-l(?<level>\d+))?(?<condensed>-judged)?$/i

/**
 * Parses `name`, `name@k` or trec_eval's `name_k`. With the suffix `-l2`, only grades of 2 and above are relevant (default:
 * 1). `rbp.80` is rank-biased precision with p = 0.80. With the suffix `-judged`, hits without a grade are left out first: the
 * condensed lists of Sakai (SIGIR 2007), as with trec_eval's `-J`.
 *
 * @throws QuerentError `bad-config` if the metric does not exist, or does not take the given `@k`, `-l` or `.p`
 */
export function parseMetric(text: string): Metric {
  const name = text.trim()
  const parts = pattern.exec(name)?.groups
  const family = familyOf(parts?.name)
  if (parts === undefined || family === undefined) {
    throw new QuerentError('bad-config', `There is no metric "${name}"`, {
      remedy: `Use one of ${metricNames.join(', ')}; with a cut-off such as ndcg@10 where it has one.`,
    })
  }
  const { form, compute } = families[family]
  if (form !== 'cut-off' && parts.k !== undefined) {
    throw new QuerentError('bad-config', `The metric "${name}" has a cut-off, and ${family} takes none`, {
      remedy: `Use ${form === 'persistence' ? `${family}.80` : family}.`,
    })
  }
  if ((form === 'persistence') !== (parts.p !== undefined)) {
    throw new QuerentError(
      'bad-config',
      `The metric "${name}" ${parts.p ? 'takes no' : 'needs its'} persistence`,
      { remedy: `Use ${form === 'persistence' ? `${family}.80` : family}.` },
    )
  }
  const k = wholeNumber(name, 'cut-off', parts.k)
  const level = wholeNumber(name, 'relevance level', parts.level)
  const options = {
    ...(k !== undefined && { k }),
    ...(level !== undefined && { level }),
    p: Number(`0.${parts.p ?? 0}`),
  }
  return {
    name,
    ...(k !== undefined && { k }),
    compute: (ranking, grades) =>
      compute(parts.condensed ? ranking.filter(({ docid }) => grades.has(docid)) : ranking, grades, options),
  }
}

function familyOf(name = ''): Family | undefined {
  const lower = name.toLowerCase()
  if (Object.hasOwn(families, lower)) return lower as Family
  return Object.hasOwn(aliases, lower) ? aliases[lower] : undefined
}

function wholeNumber(metric: string, what: string, digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined
  const number = Number(digits)
  if (number >= 1 && Number.isSafeInteger(number)) return number
  throw new QuerentError('bad-config', `The ${what} of the metric "${metric}" is ${digits}`, {
    remedy: 'Use a whole number from 1.',
  })
}

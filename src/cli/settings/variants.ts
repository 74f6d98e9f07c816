import { QuerentError } from '../../errors.ts'
import type { CompareSettings } from './compare-settings.ts'
import type { SearchSettings } from './search-settings.ts'
import { defaultFusion, defaultPolicy } from './setting-names.ts'

/** One way of searching an index: what `compare` compares. */
export interface Variant {
  /** A policy of `policies.ts`, or a policy's file. */
  readonly policy: string
  /** A fusion method's name. */
  readonly fusion: string
  /** Whose re-ranking orders the hits: that of a policy or file, or `false` for none. Absent: the policy's own. */
  readonly rerank?: string | false | undefined
  /** The retrievers that search; all that the index has opened where absent. */
  readonly retrievers?: readonly string[]
}

export interface NamedVariants {
  /** The baseline first. */
  readonly systems: readonly { readonly name: string; readonly variant: Variant }[]
  /** What all of them have in common, in words. */
  readonly shared: Readonly<Record<string, string>>
}

/** The variant that search, explain and evaluate use. */
export function variantOf(
  settings: Pick<SearchSettings, 'policy' | 'fusion' | 'rerank' | 'retrievers'>,
): Variant {
  const { retrievers, rerank } = settings
  return {
    policy: settings.policy ?? defaultPolicy,
    fusion: settings.fusion ?? defaultFusion,
    rerank: rerankOf(rerank === false ? 'none' : (rerank ?? own)),
    ...(retrievers && { retrievers }),
  }
}

/** The re-ranking that a policy was trained with, if any. */
const own = 'own'

function rerankOf(name: string): Variant['rerank'] {
  if (name === own) return undefined
  return name === 'none' ? false : name
}

/** What a re-ranking is called beside others. */
function rerankLabel(name: string): string {
  if (name === own) return 'its own re-ranking'
  return name === 'none' ? 'fused order' : `re-ranked by ${name}`
}

/**
 * Every policy with every fusion, re-ranking and set of retrievers, each called by what tells it apart from the others: with
 * two policies and one fusion, by the policy alone. Throws `bad-config` where there is nothing to compare.
 */
export function namedVariants(settings: CompareSettings): NamedVariants {
  const sets = new Map(
    (settings.retrievers ?? [undefined]).map((names) => [names?.join('+') ?? 'all of the index', names]),
  )
  const reranks = new Map((settings.reranks ?? [own]).map((name) => [rerankLabel(name), name]))
  const dimensions = {
    policy: unique(settings.policies ?? [defaultPolicy]),
    fusion: unique(settings.fusions ?? [defaultFusion]),
    're-ranking': [...reranks.keys()],
    retrievers: [...sets.keys()],
  }
  const variants = dimensions.policy.flatMap((policy) =>
    dimensions.fusion.flatMap((fusion) =>
      dimensions['re-ranking'].flatMap((rerank) =>
        dimensions.retrievers.map((retrievers) => ({ policy, fusion, 're-ranking': rerank, retrievers })),
      ),
    ),
  )
  if (variants.length < 2) {
    throw new QuerentError(
      'bad-config',
      'There is only one way of searching, and nothing to compare it with',
      {
        remedy: 'Name several --policies, --fusions or --reranks, or give --retrievers several times.',
      },
    )
  }
  const names = Object.keys(dimensions) as (keyof typeof dimensions)[]
  const varying = names.filter((name) => dimensions[name].length > 1)
  const constant = names.filter(
    (name) => dimensions[name].length === 1 && dimensions[name][0] !== rerankLabel(own),
  )
  return {
    systems: variants.map((values) => {
      const { policy, fusion } = values
      const retrievers = sets.get(values.retrievers)
      return {
        name: varying.map((name) => values[name]).join(' · '),
        variant: {
          policy,
          fusion,
          rerank: rerankOf(reranks.get(values['re-ranking'])!),
          ...(retrievers && { retrievers }),
        },
      }
    }),
    shared: {
      ...Object.fromEntries(constant.map((name) => [name, dimensions[name][0]!])),
      ...(settings.norm !== undefined && { norm: settings.norm }),
      ...(settings.withOriginal && { 'the original query': 'votes beside its sub-queries' }),
      ...(settings.maxSubQueries !== undefined && { 'most sub-queries': String(settings.maxSubQueries) }),
    },
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

import { QuerentError } from '../../errors.ts'
import type { SettingsOf } from './of-commands.ts'
import { defaultFusion, defaultPolicy } from './setting-names.ts'

/** One system of `compare`. */
export interface Variant {
  /** A policy by name or file. */
  readonly policy: string
  /** The name of a fusion method. */
  readonly fusion: string
  /** The policy or file whose re-ranking orders the hits; `false` for none. Default: the policy's own. */
  readonly rerank?: string | false | undefined
  /** Default: all opened retrievers of the index. */
  readonly retrievers?: readonly string[]
}

export interface NamedVariants {
  /** The baseline first. */
  readonly systems: readonly { readonly name: string; readonly variant: Variant }[]
  /** Their common settings, in words. */
  readonly shared: Readonly<Record<string, string>>
}

/** The variant of search, explain and evaluate. */
export function variantOf(
  settings: Pick<SettingsOf<'search'>, 'policy' | 'fusion' | 'rerank' | 'retrievers'>,
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

/** The label of a re-ranking in a comparison. */
function rerankLabel(name: string): string {
  if (name === own) return 'its own re-ranking'
  return name === 'none' ? 'fused order' : `re-ranked by ${name}`
}

/**
 * Every policy with every fusion, re-ranking and set of retrievers. A name contains only what differs: with two policies and
 * one fusion, the policy. Throws `bad-config` if there is nothing to compare.
 */
export function namedVariants(settings: SettingsOf<'compare'>): NamedVariants {
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
    throw new QuerentError('bad-config', 'There is only one system, and nothing to compare it with', {
      remedy: 'Name several --policies, --fusions or --reranks, or repeat --retrievers.',
    })
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
      ...(settings.withOriginal && { 'the original query': 'votes with its sub-queries' }),
      ...(settings.maxSubQueries !== undefined && { 'most sub-queries': String(settings.maxSubQueries) }),
    },
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)]
}

import { QuerentError } from '../errors.ts'
import type { Variant } from './open-search.ts'
import type { Settings } from './settings.ts'

interface NamedVariants {
  /** The baseline first. */
  readonly systems: readonly { readonly name: string; readonly variant: Variant }[]
  /** What all of them have in common, in words. */
  readonly shared: Readonly<Record<string, string>>
}

/**
 * Every policy with every fusion and every set of retrievers, each called by what tells it apart from the others: with two
 * policies and one fusion, by the policy alone. Throws `bad-config` where there is nothing to compare.
 */
export function namedVariants(settings: Settings): NamedVariants {
  const sets = new Map(
    (settings.retrievers ?? [undefined]).map((names) => [names?.join('+') ?? 'all of the index', names]),
  )
  const dimensions = {
    policy: unique(settings.policies ?? [settings.policy ?? 'none']),
    fusion: unique(settings.fusions ?? [settings.fusion ?? 'rank-score']),
    retrievers: [...sets.keys()],
  }
  const variants = dimensions.policy.flatMap((policy) =>
    dimensions.fusion.flatMap((fusion) =>
      dimensions.retrievers.map((retrievers) => ({ policy, fusion, retrievers })),
    ),
  )
  if (variants.length < 2) {
    throw new QuerentError(
      'bad-config',
      'There is only one way of searching, and nothing to compare it with',
      {
        remedy: 'Name several --policies or --fusions, or give --retrievers several times.',
      },
    )
  }
  const names = Object.keys(dimensions) as (keyof typeof dimensions)[]
  const varying = names.filter((name) => dimensions[name].length > 1)
  const constant = names.filter((name) => dimensions[name].length === 1)
  return {
    systems: variants.map((values) => {
      const { policy, fusion } = values
      const retrievers = sets.get(values.retrievers)
      return {
        name: varying.map((name) => values[name]).join(' · '),
        variant: { policy, fusion, ...(retrievers && { retrievers }) },
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

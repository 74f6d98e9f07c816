import { QuerentError } from '../../src/errors.ts'
import type { FuseOptions, RankedList } from '../../src/types.ts'

/**
 * Checks the options of a fusion, except for the name of a normalization, which is checked when it is looked up.
 *
 * @throws QuerentError `bad-weights` for weights that are not one finite number per list, or that the method cannot use;
 *   `bad-config` for a `k` or `depth` that is not a whole number, for another number of lists than the method was made for,
 *   and for the normalization `borda` with a method that uses ranks
 */
export function checkOptions(
  method: {
    readonly name: string
    readonly weighted?: boolean | 'non-negative'
    readonly lists?: number
    readonly ranks?: boolean
  },
  lists: readonly RankedList[],
  { k, depth, norm, weights }: FuseOptions,
): void {
  checkCount('k', k)
  checkCount('depth', depth)
  if (method.lists !== undefined && lists.length !== method.lists && lists.length > 0) {
    throw new QuerentError(
      'bad-config',
      `${method.name} was made for ${method.lists} lists, but got ${lists.length}`,
    )
  }
  if (norm === 'borda' && method.ranks) {
    throw new QuerentError(
      'bad-config',
      `${method.name} uses ranks, and the normalization borda adds documents whose ranks mean nothing`,
      { remedy: 'Choose another normalization, or a method that uses only scores.' },
    )
  }
  if (weights === undefined) return
  if (!method.weighted)
    throw badWeights(
      `${method.name} cannot use weights`,
      'Leave them out, or choose a method that can, such as weighted-sum.',
    )
  if (weights.length !== lists.length) {
    throw badWeights(`${method.name} has ${weights.length} weights for ${lists.length} lists`)
  }
  const min = method.weighted === 'non-negative' ? 0 : Number.NEGATIVE_INFINITY
  const wrong = weights.findIndex((weight) => !Number.isFinite(weight) || weight < min)
  if (wrong !== -1) throw badWeights(`The weight of list ${wrong + 1} is ${weights[wrong]}`)
}

function checkCount(name: string, value: number | undefined): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0))
    return
  throw new QuerentError('bad-config', `${name} is ${value}, but must be a whole number, 0 or more`)
}

const badWeights = (what: string, remedy?: string): QuerentError =>
  new QuerentError('bad-weights', what, remedy === undefined ? {} : { remedy })

import { QuerentError } from '../../src/errors.ts'
import type { FuseOptions, RankedList } from '../../src/types.ts'

/**
 * What can be wrong with the options of any fusion. Names of normalisations are checked where they are looked up.
 *
 * @throws QuerentError `bad-weights` for weights that are not one finite number a list, or that the method cannot use;
 * `bad-config` for a `k` or a `depth` that is not a whole number from 0, and for more or fewer lists than the method was made for,
 * and for the normalisation `borda` with a method that looks at ranks
 */
export function checkOptions(
  method: {
    readonly name: string
    readonly weighted?: boolean | 'from-0'
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
      `${method.name} is made for ${method.lists} lists and was given ${lists.length}`,
    )
  }
  if (norm === 'borda' && method.ranks) {
    throw new QuerentError(
      'bad-config',
      `${method.name} looks at ranks, and the normalisation borda adds documents, whose ranks mean nothing`,
      { remedy: 'Choose another normalisation, or a method that looks at scores alone.' },
    )
  }
  if (weights === undefined) return
  if (!method.weighted) throw badWeights(`${method.name} cannot use weights`, 'Leave them out.')
  if (weights.length !== lists.length) {
    throw badWeights(`${method.name} has ${weights.length} weights for ${lists.length} lists`)
  }
  const least = method.weighted === 'from-0' ? 0 : Number.NEGATIVE_INFINITY
  const wrong = weights.findIndex((weight) => !Number.isFinite(weight) || weight < least)
  if (wrong !== -1) throw badWeights(`The weight of list ${wrong + 1} is ${weights[wrong]}`)
}

function checkCount(name: string, value: number | undefined): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value >= 0))
    return
  throw new QuerentError('bad-config', `${name} is ${value}, and not a whole number from 0`)
}

const badWeights = (what: string, remedy?: string): QuerentError =>
  new QuerentError('bad-weights', what, remedy === undefined ? {} : { remedy })

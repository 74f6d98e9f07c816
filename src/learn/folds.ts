/** Divides a training set into folds that share no keys, so that a model can be tested on examples it was not trained on. */
import { groupBy } from '../runtime/group-by.ts'
import { createRandom, permutation } from './random.ts'

/**
 * Assigns each example a fold, from 0. Examples that share a key (a relevant document, a conversation), directly or through
 * other examples, get the same fold. The groups are assigned in random order, each to the smallest fold.
 *
 * @param keys for each example, the keys that it must not share with another fold
 */
export function foldsOf(keys: readonly (readonly string[])[], count: number, seed: number): Int32Array {
  const parents = Int32Array.from(keys, (_, index) => index)
  const rootOf = (index: number): number => {
    let root = index
    while (parents[root] !== root) root = parents[root]!
    parents[index] = root
    return root
  }
  const firstWith = new Map<string, number>()
  keys.forEach((own, index) => {
    for (const key of own) {
      const other = firstWith.get(key)
      if (other === undefined) firstWith.set(key, index)
      else parents[rootOf(index)] = rootOf(other)
    }
  })
  const folds = new Int32Array(keys.length)
  const sizes = new Int32Array(count)
  const all = [...groupBy(keys.keys(), rootOf).values()]
  for (const place of permutation(all.length, createRandom(seed))) {
    const smallest = sizes.indexOf(Math.min(...sizes))
    for (const index of all[place]!) folds[index] = smallest
    sizes[smallest]! += all[place]!.length
  }
  return folds
}

/** Parts of a training set that have nothing in common, so that a model can be asked about what it was not trained on. */
import { createRandom, permutation } from './random.ts'

/**
 * A fold for each example, from 0. Examples that share a key (a relevant document, a conversation), directly or by way of
 * others, are in the same fold. Groups are dealt in random order, each to the smallest fold.
 *
 * @param keys what each example must not share with another fold
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
  const groups = new Map<number, number[]>()
  for (let index = 0; index < keys.length; index++) {
    const root = rootOf(index)
    const group = groups.get(root)
    if (group === undefined) groups.set(root, [index])
    else group.push(index)
  }
  const folds = new Int32Array(keys.length)
  const sizes = new Int32Array(count)
  const dealt = [...groups.values()]
  for (const place of permutation(dealt.length, createRandom(seed))) {
    const smallest = sizes.indexOf(Math.min(...sizes))
    for (const index of dealt[place]!) folds[index] = smallest
    sizes[smallest]! += dealt[place]!.length
  }
  return folds
}

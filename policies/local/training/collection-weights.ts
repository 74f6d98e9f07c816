/** Collection → the weight of each of its queries: 1 / √n, so that large collections do not drown small ones. */
export function collectionWeights(collections: readonly string[]): ReadonlyMap<string, number> {
  const sizes = new Map<string, number>()
  for (const name of collections) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  return new Map([...sizes].map(([name, size]) => [name, 1 / Math.sqrt(size)]))
}

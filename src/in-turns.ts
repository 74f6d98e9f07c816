/** Several lists as one. */

/**
 * The first of each list, then the second of each, and so on. What several lists have takes its best place.
 *
 * @example inTurns([[{ docid: 'a' }, { docid: 'b' }], [{ docid: 'c' }, { docid: 'a' }]]) // a, c, b
 */
export function inTurns<Item extends { readonly docid: string }>(
  lists: readonly (readonly Item[])[],
): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const items = new Map<string, Item>()
  for (let place = 0; place < longest; place++)
    for (const { [place]: item } of lists)
      if (item !== undefined && !items.has(item.docid)) items.set(item.docid, item)
  return [...items.values()]
}

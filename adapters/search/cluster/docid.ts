/**
 * Docids of documents on a cluster. An engine's identity is index, id and, where it was indexed with one, routing: an id
 * alone may stand in two indexes of an alias, and twice in one index.
 */

/** The parts of a hit that say which document it is. */
export interface Place {
  readonly _index: string
  readonly _id: string
  readonly _routing?: string | undefined
}

/**
 * The docid of a document: its `_id` where it is in the index `own` and has no routing, else `<index>/<id>` with
 * `?routing=<routing>` after it, both percent-encoded. Names of indexes hold no `/`, so that no two documents share a docid:
 * an `_id` that begins like the long form is written in it.
 */
export function docidOf({ _index, _id, _routing }: Place, own: string | undefined): string {
  if (_index === own && _routing === undefined && !_id.startsWith(`${own}/`)) return _id
  const routing = _routing === undefined ? '' : `?routing=${encodeURIComponent(_routing)}`
  return `${_index}/${encodeURIComponent(_id)}${routing}`
}

/** The `_id`s that a docid may be of: itself, and what its long form holds. Which of them it is, `docidOf` tells of the hit. */
export function idsOf(docid: string): readonly string[] {
  const encoded = /^[^/]+\/([^/?]+)(?:\?routing=[^?]*)?$/.exec(docid)?.[1]
  if (encoded === undefined) return [docid]
  try {
    return [docid, decodeURIComponent(encoded)]
  } catch {
    return [docid]
  }
}

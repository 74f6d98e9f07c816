/**
 * Docids of documents on a cluster. An engine identifies a document by index, id and, if it was indexed with one, routing. The
 * same id may occur in two indexes of an alias, and twice in one index.
 */

/** The parts of a hit that identify its document. */
export interface DocumentAddress {
  readonly _index: string
  readonly _id: string
  readonly _routing?: string | undefined
}

/**
 * The docid of a document: its `_id` if it is in the index `own` and has no routing. Otherwise `<index>/<id>`, followed by
 * `?routing=<routing>` if there is one; id and routing are percent-encoded. No two documents share a docid: names of indexes
 * contain no `/`, and an `_id` that begins like the long form is itself written in the long form.
 */
export function docidOf({ _index, _id, _routing }: DocumentAddress, own: string | undefined): string {
  if (_index === own && _routing === undefined && !_id.startsWith(`${own}/`)) return _id
  const routing = _routing === undefined ? '' : `?routing=${encodeURIComponent(_routing)}`
  return `${_index}/${encodeURIComponent(_id)}${routing}`
}

/** The `_id`s that a docid may stand for: the docid itself, and the id in its long form. Check each hit with `docidOf`. */
export function idsOf(docid: string): readonly string[] {
  const encoded = /^[^/]+\/([^/?]+)(?:\?routing=[^?]*)?$/.exec(docid)?.[1]
  if (encoded === undefined) return [docid]
  try {
    return [docid, decodeURIComponent(encoded)]
  } catch {
    return [docid]
  }
}

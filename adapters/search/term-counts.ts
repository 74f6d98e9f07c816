/** How often each token occurs in each document. BM25's weights follow from these counts. */

/** Token `t` occurs in `documents[offsets[t]]` to `documents[offsets[t + 1] - 1]`, with the counts at the same positions. */
export interface TermCounts {
  readonly docids: readonly string[]
  /** Tokens of each document, each multiplied by the weight of its field. */
  readonly lengths: Float64Array
  readonly tokens: ReadonlyMap<string, number>
  readonly offsets: Uint32Array
  /** Positions in `docids`, ascending for each token. */
  readonly documents: Uint32Array
  /** How often the token occurs, each occurrence multiplied by the weight of its field. */
  readonly counts: Float32Array
}

/**
 * The counts of the documents with 1 in `live`, and of later ones: the same as if only these had been counted. Tokens without a
 * document are dropped.
 */
export function joinCounts(first: TermCounts, live: Uint8Array, later: TermCounts): TermCounts {
  if (later.docids.length === 0 && !live.includes(0)) return first

  const parts = [
    { counts: first, live },
    { counts: later, live: new Uint8Array(later.docids.length).fill(1) },
  ]
  const docids: string[] = []
  const lengths: number[] = []
  const tokens = new Map<string, number>()
  const frequencies: number[] = []
  const mapped = parts.map(({ counts, live }) => {
    /** Position in the part → position in the whole, for live documents. */
    const positions = new Uint32Array(counts.docids.length)
    for (const [position, docid] of counts.docids.entries()) {
      if (live[position] === 0) continue
      positions[position] = docids.push(docid) - 1
      lengths.push(counts.lengths[position]!)
    }
    /** Token of the part → token of the whole, or −1 without a live document. */
    const places = new Int32Array(counts.tokens.size).fill(-1)
    for (const [word, token] of counts.tokens) {
      const frequency = liveBetween(counts, counts.offsets[token]!, counts.offsets[token + 1]!, live)
      if (frequency === 0) continue
      const place = tokens.get(word) ?? tokens.size
      tokens.set(word, place)
      places[token] = place
      frequencies[place] = (frequencies[place] ?? 0) + frequency
    }
    return { counts, live, positions, places }
  })

  const offsets = new Uint32Array(tokens.size + 1)
  for (const [place, frequency] of frequencies.entries()) offsets[place + 1] = offsets[place]! + frequency
  const next = offsets.slice()
  const documents = new Uint32Array(offsets[tokens.size]!)
  const counts = new Float32Array(offsets[tokens.size]!)
  for (const part of mapped) {
    for (const [token, place] of part.places.entries()) {
      if (place < 0) continue
      const end = part.counts.offsets[token + 1]!
      for (let index = part.counts.offsets[token]!; index < end; index++) {
        const position = part.counts.documents[index]!
        if (part.live[position] === 0) continue
        const at = next[place]!++
        documents[at] = part.positions[position]!
        counts[at] = part.counts.counts[index]!
      }
    }
  }
  return { docids, lengths: Float64Array.from(lengths), tokens, offsets, documents, counts }
}

function liveBetween({ documents }: TermCounts, start: number, end: number, live: Uint8Array): number {
  let count = 0
  for (let index = start; index < end; index++) count += live[documents[index]!]!
  return count
}

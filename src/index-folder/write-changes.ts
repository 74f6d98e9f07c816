/** Writes what an update changes into a new segment, and merges the newest segments if there are many. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Documents } from '../../adapters/search/corpus.ts'
import { readTables } from './documents.ts'
import type { TextDigest } from './embedding-journal.ts'
import { firstToMerge } from './first-to-merge.ts'
import { liveCount, liveDocuments, type SegmentTable } from './live-documents.ts'
import type { IndexManifest } from './manifest.ts'
import { mergeSegments, newSegment, type SegmentOptions, writeSegment } from './segment.ts'

export type Segment = IndexManifest['segments'][number]

/** What an update does to the documents of an index. */
export interface IndexChanges {
  /** Number of documents whose docids were new. */
  readonly added: number
  /** Number of documents that took the place of others with the same docids. */
  readonly replaced: number
  /** Number of documents that were deleted. */
  readonly removed: number
  /** Number of docids to delete that were not in the index. */
  readonly unknown: number
  /** Number of texts that were embedded. */
  readonly embedded: number
}

interface WrittenChanges extends Merged, IndexChanges {
  /** Number of documents in the index. */
  readonly documents: number
  readonly corpus: string
}

/** Writes a segment with what changes, and merges it with others if there are many. */
export async function writeChanges(
  out: string,
  manifest: IndexManifest,
  { add, remove }: { readonly add: Documents; readonly remove: readonly string[] },
  writing: Pick<SegmentOptions, 'vectors' | 'onProgress' | 'signal'>,
): Promise<WrittenChanges> {
  const tables = await readTables(manifest.segments.map(({ folder }) => join(out, folder)))
  const { numbers } = liveDocuments(tables)
  const wanted = new Set(remove)
  const removed = [...wanted].filter((docid) => numbers.has(docid))
  const name = await newSegment(out)
  const written = await writeSegment(add, join(out, name), { ...writing, bm25: manifest.bm25, removed })
  const count = written.docids.length
  const merged = await mergeNewest(
    out,
    [...manifest.segments, segmentOf(name, written)],
    [...tables, written],
    writing,
  )
  const isRemoved = new Set(removed)
  const replaced = written.docids.filter((docid) => numbers.has(docid) && !isRemoved.has(docid)).length
  return {
    ...merged,
    added: count - replaced,
    replaced,
    removed: removed.length,
    unknown: wanted.size - removed.length,
    documents: numbers.size - removed.length + count - replaced,
    embedded: written.embedded + merged.embedded,
    corpus: createHash('sha256')
      .update(JSON.stringify([manifest.corpus, written.digest, removed]))
      .digest('hex'),
  }
}

const segmentOf = (folder: string, { docids, removed }: SegmentTable): Segment => ({
  folder,
  documents: docids.length,
  removed: removed.length,
})

interface Merged {
  readonly segments: Segment[]
  /** Number of texts whose vectors the journal had lost. */
  readonly embedded: number
  /** Digests of all texts of the index, if all were read. */
  readonly allTexts?: ReadonlySet<TextDigest>
}

/** Merges the newest segments if there are many. */
async function mergeNewest(
  out: string,
  segments: Segment[],
  tables: readonly SegmentTable[],
  writing: Pick<SegmentOptions, 'vectors' | 'onProgress' | 'signal'>,
): Promise<Merged> {
  const { live } = liveDocuments(tables)
  const sizes = segments.map(({ removed }, place) => ({ live: liveCount(live[place]!), removed }))
  const first = firstToMerge(sizes)
  if (first === segments.length - 1) return { segments, embedded: 0 }
  const earlier = new Set(tables.slice(0, first).flatMap(({ docids }) => docids))
  const removed = new Set(tables.slice(first).flatMap((table) => table.removed))
  const name = await newSegment(out)
  const written = await mergeSegments(
    segments.slice(first).map(({ folder }) => join(out, folder)),
    join(out, name),
    { ...writing, removed: [...removed].filter((docid) => earlier.has(docid)) },
  )
  return {
    segments: [...segments.slice(0, first), segmentOf(name, written)],
    embedded: written.embedded,
    ...(first === 0 && { allTexts: written.texts }),
  }
}

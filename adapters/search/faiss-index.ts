/**
 * A FAISS index with checks. On wrong input, FAISS ends the process or returns nonsense. The checks throw an error first. Wrong
 * input is: wrong sizes, a k of 0 or above the count, vectors that are not numbers, files that are cut or of another kind, and
 * folders that cannot be written.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { QuerentError } from '../../src/errors.ts'
import { writeAtomically } from '../../src/runtime/atomic-file.ts'
import { checkVector } from './check-vector.ts'
import type { FaissLibrary, NativeIndex } from './faiss-library.ts'
import { badIndex } from './index-file.ts'

/** A graph of neighbors (Malkov and Yashunin 2016, "HNSW"). A search takes few steps, but may miss the nearest vectors. */
export interface HnswOptions {
  /** Neighbors of each vector, 2 to 256. Each costs 8 bytes. Default: 32. */
  readonly M?: number
  /** Candidates examined when a vector is added. Default: 40, as in FAISS. */
  readonly efConstruction?: number
  /** Candidates examined in a search, at least the number of requested hits. Default: 16, as in FAISS. */
  readonly efSearch?: number
}

/** `flat` compares a query with every vector. */
export type IndexKind = { readonly type: 'flat' } | ({ readonly type: 'hnsw' } & Required<HnswOptions>)

/** A vector's position, counted from 0 in the order of `add`, and its inner product with the query. */
export interface Neighbor {
  readonly position: number
  readonly score: number
}

export interface FaissIndex {
  readonly count: number
  /** Adds vectors of `dimensions` finite values each. */
  add(vectors: readonly Float32Array[]): void
  /** Returns the `k` nearest vectors of each query, best first, in any order among ties. Returns all if there are fewer. */
  search(queries: readonly Float32Array[], k: number): Neighbor[][]
  /** Writes the index to a file, and replaces an existing one. Returns the seal that `openFaissIndex` checks. */
  write(path: string): Promise<FileSeal>
}

/** Identifies the content of a file. */
export interface FileSeal {
  readonly bytes: number
  readonly digest: string
}

/** `METRIC_INNER_PRODUCT`. */
const innerProduct = 0

/** FAISS's defaults for HNSW. */
export const hnswDefaults = { M: 32, efConstruction: 40, efSearch: 16 } as const satisfies HnswOptions

export function newFaissIndex(library: FaissLibrary, dimensions: number, kind: IndexKind): FaissIndex {
  if (!Number.isInteger(dimensions) || dimensions < 1) {
    throw new QuerentError(
      'bad-config',
      `The embedder has ${dimensions} dimensions, not a whole number from 1`,
    )
  }
  if (kind.type === 'flat') return guarded(new library.IndexFlatIP(dimensions), dimensions, kind)
  return guarded(newHnsw(library, dimensions, kind), dimensions, kind)
}

/**
 * Opens a file that `write` made.
 *
 * @param queriesPerCall how many queries FAISS compares at once. Default: so few that a query has the same scores alone
 * @throws QuerentError `bad-index` if the file has changed since.
 */
export async function openFaissIndex(
  library: FaissLibrary,
  path: string,
  expected: FileSeal & { readonly dimensions: number; readonly count: number; readonly kind: IndexKind },
  queriesPerCall?: number,
): Promise<FaissIndex> {
  const seal = await sealOf(path).catch((error: unknown) => {
    throw badIndex(path, 'it cannot be read', error)
  })
  if (seal.bytes !== expected.bytes || seal.digest !== expected.digest) {
    throw badIndex(path, 'it was cut or changed after it was written')
  }
  const native = expected.kind.type === 'flat' ? library.IndexFlatIP.read(path) : library.Index.read(path)
  if (native.ntotal() !== expected.count || native.getDimension() !== expected.dimensions) {
    throw badIndex(path, `it holds ${native.ntotal()} vectors of ${native.getDimension()} dimensions`)
  }
  return guarded(native, expected.dimensions, expected.kind, queriesPerCall)
}

function guarded(
  native: NativeIndex,
  dimensions: number,
  kind: IndexKind,
  queriesPerCall = alikePerCall,
): FaissIndex {
  /** The values as one plain array, the only type that faiss-node accepts. */
  function flattened(vectors: readonly Float32Array[]): number[] {
    const values: number[] = []
    for (const vector of vectors) {
      checkVector(vector, dimensions)
      for (const value of vector) values.push(value)
    }
    return values
  }

  return {
    get count() {
      return native.ntotal()
    },
    add(vectors) {
      if (vectors.length > 0) native.add(flattened(vectors))
    },
    search(queries, k) {
      const depth = Math.min(k, native.ntotal())
      if (!Number.isInteger(depth) || depth < 1) return queries.map(() => [])
      const found: Neighbor[][] = []
      for (let first = 0; first < queries.length; first += queriesPerCall) {
        const batch = flattened(queries.slice(first, first + queriesPerCall))
        const { labels, distances } = native.search(batch, depth)
        for (let start = 0; start < labels.length; start += depth) {
          found.push(neighbors(labels, distances, start, start + depth))
        }
      }
      return found
    },
    async write(path) {
      await mkdir(dirname(path), { recursive: true })
      await checkSpace(dirname(path), native.ntotal() * bytesPerVector(dimensions, kind))
      await writeAtomically(path, async (part, flag) => {
        // Tries to create the file first: FAISS ends the process if it cannot open a file.
        await (await open(part, flag)).close()
        native.write(part)
        const handle = await open(part, 'r+')
        await handle.sync().finally(() => handle.close())
      })
      return sealOf(path)
    },
  }
}

/**
 * From 20 queries on, FAISS multiplies matrices, and the last digits of the sums differ. A query would then get other scores and
 * ties in a batch than alone.
 */
const alikePerCall = 16

/** How many queries of a batch FAISS compares at once. More take no less time for each. */
export const batchedPerCall = 256

/** Removes the padding, which has the label −1: HNSW may find fewer than `k`. */
function neighbors(
  labels: readonly number[],
  distances: readonly number[],
  start: number,
  end: number,
): Neighbor[] {
  const found: Neighbor[] = []
  for (let index = start; index < end; index++) {
    const position = labels[index]!
    if (position >= 0) found.push({ position, score: distances[index]! })
  }
  return found
}

/**
 * faiss-node cannot set `efConstruction` and `efSearch`. This function changes them in the bytes of an empty index (a few
 * hundred). There the two values are side by side, after the empty graph's entry point and highest level (both −1).
 */
function newHnsw(library: FaissLibrary, dimensions: number, options: Required<HnswOptions>): NativeIndex {
  const { M, efConstruction, efSearch } = options
  const empty = library.Index.fromFactory(dimensions, `HNSW${M}`, innerProduct)
  if (efConstruction === hnswDefaults.efConstruction && efSearch === hnswDefaults.efSearch) return empty
  const bytes = Buffer.from(empty.toBuffer())
  const before = int32s(-1, -1, hnswDefaults.efConstruction, hnswDefaults.efSearch)
  const at = bytes.indexOf(before)
  if (at < 0 || bytes.indexOf(before, at + 1) >= 0) {
    throw new QuerentError(
      'bad-config',
      'This version of FAISS keeps efConstruction and efSearch elsewhere',
      { remedy: 'Leave both options out.' },
    )
  }
  int32s(-1, -1, efConstruction, efSearch).copy(bytes, at)
  return library.Index.fromBuffer(bytes)
}

function int32s(...values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer)
}

/** Upper bound for the bytes of a vector in a file: its values, and with HNSW its neighbors on all levels. */
function bytesPerVector(dimensions: number, kind: IndexKind): number {
  return 4 * dimensions + (kind.type === 'hnsw' ? 16 * kind.M + 64 : 0)
}

/** Checks the free space first, because FAISS ends the process if the disk is full. */
async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize > bytes + 2 ** 20) return
  throw new QuerentError(
    'write-failed',
    `${folder} cannot be written: the index takes up to ${bytes} bytes`,
    { remedy: 'Free some space, or choose another folder.' },
  )
}

async function sealOf(path: string): Promise<FileSeal> {
  const hash = createHash('sha256')
  const stream = createReadStream(path)
  await pipeline(stream, hash)
  return { bytes: stream.bytesRead, digest: hash.digest('hex') }
}

/**
 * A FAISS index behind checks: every call that would end the process, or answer nonsense, is an error before it is made.
 * Wrong sizes, k of 0 or above the count, vectors that are not numbers, files that are cut or of another kind and
 * folders that cannot be written all do one or the other.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { QuerentError } from '../../src/errors.ts'
import { writeAtomically } from '../../src/runtime/atomic-file.ts'
import type { FaissLibrary, NativeIndex } from './faiss-library.ts'
import { badIndex } from './index-file.ts'

/** A graph of neighbors (Malkov and Yashunin 2016, "HNSW"): found in a few steps, and not always the nearest. */
export interface HnswOptions {
  /** Neighbors of each vector, 2 to 256; each costs 8 bytes. Default: 32. */
  readonly M?: number
  /** Candidates looked at when a vector is added. Default: 40, as in FAISS. */
  readonly efConstruction?: number
  /** Candidates looked at in a search; never fewer than the hits asked for. Default: 16, as in FAISS. */
  readonly efSearch?: number
}

/** `flat` compares with every vector. */
export type IndexKind = { readonly type: 'flat' } | ({ readonly type: 'hnsw' } & Required<HnswOptions>)

/** A vector's position, from 0 in the order of adding, and its inner product with the query. */
interface Neighbor {
  readonly position: number
  readonly score: number
}

export interface FaissIndex {
  readonly count: number
  /** Adds vectors of `dimensions` finite values each. */
  add(vectors: readonly Float32Array[]): void
  /** For each query its `k` nearest, all where there are fewer, best first but for ties. */
  search(queries: readonly Float32Array[], k: number): Neighbor[][]
  /** Replaces a file. Gives what `openFaissIndex` wants to know about it. */
  write(path: string): Promise<FileSeal>
}

/** What tells whether a file is the one that was written. */
export interface FileSeal {
  readonly bytes: number
  readonly digest: string
}

/** `METRIC_INNER_PRODUCT`. */
const innerProduct = 0

/** FAISS's own settings of HNSW. */
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
 * Opens the file that `write` wrote.
 *
 * @throws QuerentError `bad-index` where it is not that file any more.
 */
export async function openFaissIndex(
  library: FaissLibrary,
  path: string,
  expected: FileSeal & { readonly dimensions: number; readonly count: number; readonly kind: IndexKind },
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
  return guarded(native, expected.dimensions, expected.kind)
}

function guarded(native: NativeIndex, dimensions: number, kind: IndexKind): FaissIndex {
  /** As one plain array: faiss-node takes no other. */
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
      await writeAtomically(path, async (part) => {
        // Created here first: FAISS ends the process if it cannot open a file.
        await (await open(part, 'w')).close()
        native.write(part)
        const handle = await open(part, 'r+')
        await handle.sync().finally(() => handle.close())
      })
      return sealOf(path)
    },
  }
}

/**
 * FAISS multiplies matrices from 20 queries on, whose sums differ in the last digits: a query would be scored otherwise
 * in a batch than alone, and its ties decided otherwise.
 */
const queriesPerCall = 16

/** HNSW pads with label −1 what it does not find. */
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

/** @throws QuerentError `embed-failed` for a vector that cannot be compared with others. */
function checkVector(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw new QuerentError(
      'embed-failed',
      `A vector has ${vector.length} dimensions where the index has ${dimensions}`,
    )
  }
  let square = 0
  for (const value of vector) square += value * value
  if (square === 0 || Math.abs(square - 1) < 0.01) return
  throw new QuerentError('embed-failed', `A vector has the length ${Math.sqrt(square)}, not 1`, {
    remedy: 'Embedders must give unit-length vectors of finite numbers.',
  })
}

/**
 * faiss-node cannot set the two efforts of HNSW. An index without vectors is a few hundred bytes in which they stand
 * side by side, after the empty graph's entry point and highest level (both −1): they are changed there.
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
      {
        remedy: 'Leave both options out.',
      },
    )
  }
  int32s(-1, -1, efConstruction, efSearch).copy(bytes, at)
  return library.Index.fromBuffer(bytes)
}

function int32s(...values: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer)
}

/** Upper bound of what a vector takes in a file: its values, and with HNSW its neighbors on all levels. */
function bytesPerVector(dimensions: number, kind: IndexKind): number {
  return 4 * dimensions + (kind.type === 'hnsw' ? 16 * kind.M + 64 : 0)
}

/** FAISS ends the process where a disk is full. */
async function checkSpace(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize > bytes + 2 ** 20) return
  throw new QuerentError(
    'write-failed',
    `${folder} cannot be written: the index takes up to ${bytes} bytes`,
    {
      remedy: 'Free some space, or choose another folder.',
    },
  )
}

async function sealOf(path: string): Promise<FileSeal> {
  const hash = createHash('sha256')
  const stream = createReadStream(path)
  await pipeline(stream, hash)
  return { bytes: stream.bytesRead, digest: hash.digest('hex') }
}

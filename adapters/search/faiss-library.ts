/** faiss-node, loaded when it is used. */
import { QuerentError } from '../../src/errors.ts'

/** An index in native memory. Wrong arguments to it do not throw, most of them end the process. */
export interface NativeIndex {
  add(values: readonly number[]): void
  search(
    values: readonly number[],
    k: number,
  ): { readonly distances: readonly number[]; readonly labels: readonly number[] }
  ntotal(): number
  getDimension(): number
  write(path: string): void
  toBuffer(): Buffer
}

/** The part of faiss-node 0.5 that is used. */
export interface FaissLibrary {
  readonly IndexFlatIP: {
    new (dimensions: number): NativeIndex
    read(path: string): NativeIndex
  }
  readonly Index: {
    fromFactory(dimensions: number, description: string, metric: number): NativeIndex
    fromBuffer(buffer: Buffer): NativeIndex
    read(path: string): NativeIndex
  }
}

/** faiss-node. @throws QuerentError `missing-package` where it is not installed or its binary cannot be loaded. */
export async function loadFaissLibrary(): Promise<FaissLibrary> {
  try {
    const { default: library } = await import('faiss-node')
    return library
  } catch (cause) {
    throw new QuerentError('missing-package', 'The dense index needs the package faiss-node', {
      remedy:
        'Run `npm install faiss-node`; where that fails, install it with `--ignore-scripts` and compile it as ' +
        'scripts/install-native.mjs of Querent does. Or pass it by the option `library`, or search with BM25 alone.',
      cause,
    })
  }
}

/** Loads faiss-node on demand. */
import { type OptionalPackage, optionalPackages } from '../../src/runtime/optional-package.ts'

/** An index in native memory. Most wrong arguments end the process instead of throwing. */
export interface NativeIndex {
  add(values: readonly number[]): void
  search(
    values: readonly number[],
    k: number,
  ): { readonly distances: readonly number[]; readonly labels: readonly number[] }
  ntotal(): number
  getDimension(): number
  write(path: string): void
  toBuffer(): Uint8Array
}

/** The part of faiss-node 0.5 that Querent uses. */
export interface FaissLibrary {
  readonly IndexFlatIP: {
    new (dimensions: number): NativeIndex
    read(path: string): NativeIndex
  }
  readonly Index: {
    fromFactory(dimensions: number, description: string, metric: number): NativeIndex
    fromBuffer(buffer: Uint8Array): NativeIndex
    read(path: string): NativeIndex
  }
}

export const faissPackage: OptionalPackage<FaissLibrary> = {
  name: 'faiss-node',
  load: async () => (await import('faiss-node')).default,
}

/** Loads faiss-node. @throws QuerentError `missing-package` if it is not installed or its binary cannot be loaded */
export async function loadFaissLibrary(): Promise<FaissLibrary> {
  const [library] = await optionalPackages<[FaissLibrary]>([faissPackage])
  return library
}

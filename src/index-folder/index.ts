/**
 * `querent/index-folder`: builds, opens and watches an index on disk, as `querent index` builds it.
 *
 * @module querent/index-folder
 */

export { type BuildOptions, type BuildProgress, type BuiltIndex, buildIndex } from './build.ts'
export type { DocumentStore } from './documents.ts'
export type { IndexManifest } from './manifest.ts'
export { type OpenedIndex, type OpenOptions, openIndex } from './open.ts'
export { type WatchOptions, watchIndex } from './watch.ts'

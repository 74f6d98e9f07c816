/**
 * `querent/index-folder`: builds, updates, opens and watches an index on disk, as `querent index` builds it.
 *
 * @module querent/index-folder
 */

export { type BuildOptions, buildIndex } from './build.ts'
export type { DocumentStore } from './documents.ts'
export type { BuildProgress, BuiltIndex } from './generation.ts'
export type { IndexManifest } from './manifest.ts'
export { type OpenedIndex, type OpenOptions, openIndex } from './open.ts'
export { type IndexChanges, type UpdatedIndex, type UpdateOptions, updateIndex } from './update.ts'
export { type WatchOptions, watchIndex } from './watch.ts'

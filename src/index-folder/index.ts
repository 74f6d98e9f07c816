/**
 * `querent/index-folder`: builds, updates, opens and watches an index on disk, as `querent index` builds it.
 *
 * @module querent/index-folder
 */

export { type BuildOptions, type BuiltIndex, buildIndex } from './build.ts'
export type { DocumentStore } from './documents.ts'
export type { IndexManifest } from './manifest.ts'
export { type OpenedIndex, type OpenOptions, openIndex } from './open.ts'
export type { BuildProgress } from './segment.ts'
export { type UpdatedIndex, type UpdateOptions, updateIndex } from './update.ts'
export { type WatchOptions, watchIndex } from './watch.ts'
export type { IndexChanges } from './write-changes.ts'

/** `querent/index-folder`: an index on disk, as `querent index` makes it. */
export { type BuildOptions, type BuildProgress, type BuiltIndex, buildIndex } from './build.ts'
export { type OpenedIndex, type OpenOptions, openIndex } from './open.ts'
export { type WatchOptions, watchIndex } from './watch.ts'

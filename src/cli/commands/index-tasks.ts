import type { BuildProgress } from '../../index-folder/generation.ts'

/** The tasks of a build or an update, for the progress bar. */
export const taskNames: Readonly<Record<BuildProgress['task'], string>> = {
  read: 'reading documents',
  bm25: 'indexing words',
  dense: 'embedding documents',
}

/** Does the work of a first search before anyone waits for it. */

import { createOptimizer } from '../../../../src/optimizer.ts'
import { isPolicyNamed } from '../../../../src/shipped.ts'
import type { Retriever } from '../../../../src/types.ts'
import type { SearchSettings } from './prepare-settings.ts'

const texts = ['A bridge of steel over the river.', 'A tunnel under the mountain.']

/** Finds the same documents for each query. */
const retriever: Retriever = {
  name: 'engine',
  retrieve: async (subQueries) =>
    subQueries.map((subQuery) => ({
      retriever: 'engine',
      subQuery,
      hits: texts.map((text, place) => {
        const docid = String(place)
        return { docid, rank: place + 1, score: 2 - place, document: { docid, title: text, text } }
      }),
    })),
}

/** Starts the threads of the bundled policy, or of one from a file, and lets them decide and rank once. Other policies are not run. */
export async function warmUp({ policy, isChosen, rerank }: SearchSettings): Promise<void> {
  if (!isPolicyNamed('local', policy)) return
  const optimizer = createOptimizer({
    retrievers: [retriever],
    policy,
    ...(rerank !== undefined && !isChosen && { rerank }),
  })
  await optimizer.search('What crosses the river?')
}

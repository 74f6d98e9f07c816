/** The code of the local policy's threads. It is the same as in the main thread and works on the tasks from `threaded.ts`. */

import { serveTasks } from '../../src/runtime/threads.ts'
import { createReader } from '../../src/text/reader.ts'
import { prepareDecide } from './local.ts'
import { type Task, type ThreadData, unpacked } from './packed.ts'
import { createReranker } from './rerank/rerank.ts'
import { prepareWiden } from './with-wider-pool.ts'

serveTasks<ThreadData, Task>(({ policy: { terms, decision, rerank }, options }) => {
  const reader = createReader(terms)
  const decide = decision && prepareDecide(decision, reader, options)
  const widen = decision && prepareWiden(decision, reader, options)
  const reranker = rerank && createReranker(rerank, reader)
  return (task) => {
    const { query, lists, documentOf } = unpacked(task.found)
    if (task.kind === 'decide') return decide!(query, lists, documentOf, task.reranks)
    if (task.kind === 'widen') return widen!(query, lists, documentOf, task.subQueries)
    return reranker!.scores(query, lists, documentOf, task.given)
  }
})

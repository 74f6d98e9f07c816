/** The code of the local policy's threads. It is the same as in the main thread and works on the tasks from `worker-pool.ts`. */

import { serveTasks } from '../../../src/runtime/threads.ts'
import { workHere } from '../in-process.ts'
import { type DecideAnswer, type Task, type ThreadData, unpacked } from './serialize.ts'

serveTasks<ThreadData, Task>(({ policy, options }) => {
  const { decide, widen, scores } = workHere(policy, options)
  return (task) => {
    const { query, lists, documentOf } = unpacked(task.found)
    if (task.kind === 'widen') return widen!(query, lists, documentOf, task.subQueries)
    if (task.kind === 'rerank') return scores!(query, lists, documentOf)
    const decided = decide!(query, lists, documentOf, task.maxTexts)
    const docids = lists[0]!.hits.map(({ docid }) => docid)
    // A text that is missing may still come.
    const isFinal =
      decided.texts.length === 0 && lists.length === 1 && docids.every((docid) => documentOf(docid))
    if (!options.reranks || scores === undefined || !isFinal) return { decided } satisfies DecideAnswer
    return { decided, scores: scores(query, lists, documentOf) } satisfies DecideAnswer
  }
})

/** The code of the local policy's threads. It is the same as in the main thread and works on the tasks from `threaded.ts`. */

import { serveTasks } from '../../src/runtime/threads.ts'
import { type Task, type ThreadData, unpacked } from './packed.ts'
import { workHere } from './work-here.ts'

serveTasks<ThreadData, Task>(({ policy, options }) => {
  const { decide, widen, scores } = workHere(policy, options)
  return (task) => {
    const { query, lists, documentOf } = unpacked(task.found)
    if (task.kind === 'decide') return decide!(query, lists, documentOf, task.ahead)
    if (task.kind === 'widen') return widen!(query, lists, documentOf, task.subQueries)
    return scores!(query, lists, documentOf, task.given)
  }
})

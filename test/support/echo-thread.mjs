// @ts-check
/** A thread for tests: echoes its task, throws, ends, never answers, or tells how many tasks it had before. */
import { threadId } from 'node:worker_threads'
import { serveTasks } from '../../dist/src/runtime/threads.js'

let tasks = 0

serveTasks((/** @type {string} */ data) => (/** @type {string} */ task) => {
  if (task === 'count') return tasks
  tasks++
  if (task === 'throw') throw new TypeError('thrown on request')
  if (task === 'end') process.exit(1)
  while (task === 'hang');
  return task === 'who' ? threadId : `${data} ${task}`
})

// @ts-check
/** A thread for tests: echoes its task, throws, ends, or never answers. */
import { threadId } from 'node:worker_threads'
import { serveTasks } from '../../dist/src/runtime/threads.js'

serveTasks((/** @type {string} */ data) => (/** @type {string} */ task) => {
  if (task === 'throw') throw new TypeError('thrown on request')
  if (task === 'end') process.exit(1)
  while (task === 'hang');
  return task === 'who' ? threadId : `${data} ${task}`
})

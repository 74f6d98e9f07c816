/** Measuring in a process of its own: memory that was used once is not given back, and warm code stays warm. */
import { fork } from 'node:child_process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What `answer` gives in a process of its own that runs `file` with these arguments. Rejects when it ends without. */
export function inProcess<T>(file: string, words: readonly (string | number)[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = fork(file, words.map(String))
    child.once('message', (result) => resolve(result as T))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${[file, ...words].join(' ')}: exit ${code}`)))
  })
}

/** In such a process of `file`: answers with what `measure` makes of the arguments. Elsewhere: does nothing. */
export async function answer(
  file: string,
  measure: (...words: readonly string[]) => Promise<unknown>,
): Promise<void> {
  if (process.send === undefined || process.argv[1] !== file) return
  process.send(await measure(...process.argv.slice(2)))
  process.disconnect()
}

/** Frees what nobody holds any more. */
export function collectGarbage(): void {
  setFlagsFromString('--expose_gc')
  runInNewContext('gc')()
}

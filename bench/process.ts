/** Measuring in a process of its own: memory that was used once is not given back, and code that is warm stays warm. */
import { fork } from 'node:child_process'

const sign = '--in-process'

/** What `answer` gives in a process of its own that runs `file` with these words. Rejects when it ends without. */
export function inProcess<T>(file: string, words: readonly (string | number)[]): Promise<T> {
  return new Promise((resolve, reject) => {
    const child = fork(file, [sign, ...words.map(String)])
    child.once('message', (result) => resolve(result as T))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`${words.join(' ')}: ended with ${code} and no answer`)))
  })
}

/** Whether this is a process that `inProcess` started for `file`. */
export function isInProcess(file: string): boolean {
  return process.argv[1] === file && process.argv[2] === sign
}

/** In a process that `inProcess` started for `file`: answers with what `measure` makes of the words. Else: nothing. */
export async function answer(
  file: string,
  measure: (...words: readonly string[]) => Promise<unknown>,
): Promise<void> {
  if (!isInProcess(file)) return
  process.send!(await measure(...process.argv.slice(3)))
  process.disconnect()
}

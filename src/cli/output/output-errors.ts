/** What becomes of a command whose standard output cannot be written: its reader has gone, or the disk is full. */
import type { Terminal } from './terminal.ts'

/**
 * Ends a command whose standard output cannot be written. Its status is 0 if the reader stopped early, as in
 * `querent search … | head`, and otherwise 1, after a message that says why.
 *
 * @returns a function for servers, whose standard output holds nothing but a log. After it was called, such an error is said
 *   once, ends nothing, and loses the lines until they can be written again
 */
export function onOutputErrors(
  { stdout, stderr }: Pick<Terminal, 'stdout' | 'stderr'>,
  exit: (status: number) => void,
): () => void {
  let isLog = false
  let isSaid = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    const reason = error.code ?? error.message
    if (isLog) {
      if (!isSaid) stderr.write(`WARNING: the log cannot be written to standard output: ${reason}.\n`)
      isSaid = true
    } else if (error.code === 'EPIPE') exit(0)
    else {
      stderr.write(`querent: standard output cannot be written: ${reason}\n`)
      exit(1)
    }
  })
  return () => {
    isLog = true
  }
}

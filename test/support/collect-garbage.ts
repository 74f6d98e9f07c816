/** Memory that is held, told from memory that was. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Frees what nobody holds any more. Twice, since the memory of buffers is given back behind the first collection's back,
 * and is counted until it is; the second one waits for that.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose_gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  collect()
}

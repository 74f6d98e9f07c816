/** Memory that is held, told from memory that was. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose_gc')
const collect: (options?: { readonly type: 'minor' }) => void = runInNewContext('gc')

/** Frees what was short-lived. It takes a thousandth of the time of a full collection in a process with many test files. */
export function collectYoungGarbage(): void {
  collect({ type: 'minor' })
}

/**
 * Frees what nobody holds any more. Twice, since the memory of buffers is given back behind the first collection's back,
 * and is counted until it is; the second one waits for that.
 */
export function collectGarbage(): void {
  collect()
  collect()
}

// @ts-check
/** Before tsc, which only ever adds: what was built from a source that is gone, or put there by hand, would be published. */
import { rmSync } from 'node:fs'

rmSync('dist', { recursive: true, force: true })

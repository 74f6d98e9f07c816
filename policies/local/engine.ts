/** The local policy's computations, in this thread or in others. */
import { createReader } from '../../src/text/reader.ts'
import { type LocalWork, workHere } from './in-process.ts'
import type { DecideOptions } from './local.ts'
import type { PolicyFile } from './policy-file.ts'
import { createReranker } from './rerank/rerank.ts'
import { threadedWork } from './worker-pool.ts'

/** @param workers threads for the work; with 0, this thread does it */
export function workOf(file: PolicyFile, options: DecideOptions, workers: number): LocalWork {
  if (workers === 0) return workHere(file, options)
  const { terms, decision, rerank } = file
  const { decide, widen, scores, close } = threadedWork(file, options, workers)
  return {
    ...(decision && { decide, widen }),
    // Explanations are rare, so this thread computes them.
    ...(rerank && {
      scores,
      explain: (...seen) => createReranker(rerank, createReader(terms)).explain(...seen),
    }),
    close,
  }
}

/** One line of JSON for each search, from warnings on. Pass your own pino in place of `lineLogger`. */
import { createOptimizer, type Optimizer, type Retriever } from 'querent'
import { lineLogger, searchLogs } from 'querent/logs'

export function createLoggedOptimizer(
  retrievers: readonly Retriever[],
  write: (line: string) => void,
): Optimizer {
  const observe = searchLogs({ logger: lineLogger(write, { level: 'warn' }) })
  return createOptimizer({ retrievers, observe })
}

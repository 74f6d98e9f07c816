/** The registry of the metrics of a server. */
import { Registry } from 'prom-client'
import type { Terminal } from '../output/terminal.ts'

/** In a worker, it writes the metrics of all workers. */
export function openRegistry({ primary }: Pick<Terminal, 'primary'>): Registry {
  const registry = new Registry()
  if (primary !== undefined) registry.metrics = primary.share(registry)
  return registry
}

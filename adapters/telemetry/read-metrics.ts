/** Metrics whose values are kept elsewhere: they are read whenever Prometheus asks. */
import { Counter, Gauge, type Registry } from 'prom-client'

/** Registers a metric. Throws prom-client's error if the registry has one of that name. */
type Register = (name: string, help: string, value: () => number) => void

export function readMetrics(registry: Registry): { readonly total: Register; readonly gauge: Register } {
  const registers = [registry]
  return {
    total(name, help, value) {
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset()
          this.inc(value())
        },
      })
    },
    gauge(name, help, value) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(value())
        },
      })
    },
  }
}

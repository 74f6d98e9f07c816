/** How metrics are made in a registry. Each throws prom-client's error if the registry has one of that name. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** A value that is kept elsewhere: it is read whenever Prometheus asks. */
type Register = (name: string, help: string, value: () => number) => void

export function metricsIn(registry: Registry) {
  const registers = [registry]
  const total: Register = (name, help, value) => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  }
  const gauge: Register = (name, help, value) => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  }
  return {
    total,
    gauge,
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      buckets: number[],
      ...labelNames: Label[]
    ) => new Histogram({ name, help, labelNames, buckets, registers }),
  }
}

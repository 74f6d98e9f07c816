/** Limits, retries and a circuit breaker around a retriever, and around anything else. */
import { createOptimizer, type Optimizer, type Retriever } from 'querent'
import { createResilience, resilient } from 'querent/resilience'

export function createResilientOptimizer(cluster: Retriever): Optimizer {
  const retriever = resilient(cluster, { concurrency: 32 })
  const optimizer = createOptimizer({ retrievers: [retriever] })
  console.log(retriever.resilience.state)
  // { running: 3, queued: 0, breaker: 'closed', retries: 12, shed: 0 }
  return optimizer
}

export async function load(url: string): Promise<string> {
  const resilience = createResilience({ name: 'The cluster', timeout: 500 })
  const text = await resilience.run(
    async (signal) => {
      const response = await fetch(url, { signal })
      if (!response.ok) throw Object.assign(new Error(`${url} answered`), { status: response.status })
      return response.text()
    },
    { timeout: 2000 },
  )
  return text
}

/** A search that reads filters out of the words of a query. */
import { createOptimizer, withFilters } from 'querent'
import { localPolicy } from 'querent/policies/local'
import { buildWinkBm25 } from 'querent/search'

const boot = { docid: 'boot', text: 'A light hiking boot.', metadata: { brand: 'Northwind', price: 120 } }
const shoe = { docid: 'shoe', text: 'A light hiking shoe.', metadata: { brand: 'Aurora', price: 45.9 } }
const retrievers = [await buildWinkBm25([boot, shoe])]

const fields = { brand: 'keyword', price: 'EUR' }
const { policy, ...local } = await localPolicy({ retrievers })
const optimizer = createOptimizer({ retrievers, ...local, policy: withFilters(policy, { fields }) })

/** The hits of a query, and the filters that were read out of it. */
export async function searchShop(query: string) {
  const { hits, trace } = await optimizer.search(query)
  const filters = trace.steps.flatMap((step) => (step.type === 'filter' ? step.read : []))
  return { docids: hits.map(({ docid }) => docid), filters }
}

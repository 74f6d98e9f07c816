/** How soon the wrapped clients are there, beside the clients that they wrap. `test/structure.test.ts` has the lines that they read. */
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { leastMs } from '../support/least-ms.ts'

it.each([
  ['elasticsearch', '@elastic/elasticsearch'],
  ['opensearch', '@opensearch-project/opensearch'],
])('querent/%s is imported within twice the time of its client', async (name, client) => {
  const built = pathToFileURL(`dist/adapters/apps/clients/${name}.js`).href
  const importing = (specifier: string) =>
    leastMs(10, '--input-type=module', '--eval', `await import(${JSON.stringify(specifier)})`)
  const [own, other] = [await importing(built), await importing(client)]
  expect(own / other).toBeLessThan(2)
})

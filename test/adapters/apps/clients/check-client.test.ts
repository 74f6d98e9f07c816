/** Whether what is to be wrapped is a client of that engine. */
import { Client as Elasticsearch9 } from '@elastic/elasticsearch'
import { Client as OpenSearch3 } from '@opensearch-project/opensearch'
import { Client as Elasticsearch8 } from 'elasticsearch-8'
import { describe, it } from 'vitest'
import { querent as querentElasticsearch } from '../../../../adapters/apps/clients/elasticsearch.ts'
import { querent as querentOpensearch } from '../../../../adapters/apps/clients/opensearch.ts'
import { expectError } from '../../../support/expect-error.ts'

const node = 'http://127.0.0.1:9'
const [es9, es8, os3] = [
  new Elasticsearch9({ node }),
  new Elasticsearch8({ node }),
  new OpenSearch3({ node }),
]
describe('a client of the other engine is refused, and the remedy names its import', () => {
  it.each([
    ['OpenSearch', os3],
    ['OpenSearch, wrapped', querentOpensearch(os3)],
  ])('for Elasticsearch: %s', (_, client) => {
    const wrap = (): unknown => querentElasticsearch(client as never)
    expectError(wrap, 'bad-config', /querent\/opensearch/)
  })

  it.each([
    ['Elasticsearch 9', es9],
    ['Elasticsearch 8', es8],
    ['Elasticsearch, wrapped', querentElasticsearch(es9)],
  ])('for OpenSearch: %s', (_, client) => {
    const wrap = (): unknown => querentOpensearch(client as never)
    expectError(wrap, 'bad-config', /querent\/elasticsearch/)
  })
})

it.each([{}, undefined, null, node, { node }, { search() {}, msearch() {} }])(
  'what is no client is refused: %j',
  (client) => {
    expectError(() => querentElasticsearch(client as never), 'bad-config')
    expectError(() => querentOpensearch(client as never), 'bad-config')
  },
)

it('what a client lacks is named', () =>
  expectError(() => querentOpensearch({ search() {} } as never), 'bad-config', /msearch, child/))

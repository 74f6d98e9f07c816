/** What was put together wrongly is said when it is made; where only a search can show it, the first one does. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client as Elasticsearch } from '@elastic/elasticsearch'
import { Client as OpenSearch } from '@opensearch-project/opensearch'
import { describe, expect, it } from 'vitest'
import { querent as querentElasticsearch } from '../adapters/apps/clients/elasticsearch.ts'
import { querent as querentOpensearch } from '../adapters/apps/clients/opensearch.ts'
import type { AppOptions } from '../adapters/apps/drop-in/run/settings.ts'
import { createProxy } from '../adapters/apps/proxy/proxy.ts'
import { resilient } from '../adapters/resilience/resilient-retriever.ts'
import { buildWinkBm25 } from '../adapters/search/wink-bm25.ts'
import { acqo } from '../policies/acqo/acqo.ts'
import { localPolicy } from '../policies/local/local-policy.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import type { Prompt } from '../src/prompt.ts'
import type { Leg, Retriever } from '../src/types.ts'
import { expectError } from './support/expect-error.ts'
import { finderOf } from './support/finder.ts'
import { scriptedChat, scriptedRetriever } from './support/scripted.ts'
import { sampleDocuments, smallPolicy } from './support/small-policy.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const documents = await sampleDocuments()
const file = await smallPolicy()
const made = await localPolicy({ file })
const bm25 = await buildWinkBm25(documents, { keepDocuments: false })
const question = 'Who was born first, the director of The Seventh Seal or the director of Rear Window?'

describe('a policy that asks a chat model', () => {
  const retrievers = [scriptedRetriever({ found: { who: ['a'] } })]
  const chat = scriptedChat([])

  it('is refused without one', async () => {
    const { policy } = await localPolicy({ file, decider: acqo() })
    for (const asking of [acqo(), policy]) {
      expectError(() => createOptimizer({ retrievers, policy: asking }), 'bad-config', /acqo\/rewrite/)
    }
    expectError(() => createOptimizer({ retrievers, policy: acqo(), models: { other: chat } }), 'bad-config')
  })

  it('is content with one for its prompt alone', () => {
    createOptimizer({ retrievers, policy: acqo(), chat })
    createOptimizer({ retrievers, policy: acqo(), models: { 'acqo/rewrite': chat } })
  })

  const prompt: Prompt<string, string> = {
    name: 'own',
    render: (content) => [{ role: 'user', content }],
    parse: (text) => text,
  }
  const silent: Policy = {
    name: 'silent',
    async run({ text }, tools) {
      await tools.ask(prompt, text)
      return { hits: tools.fuse(await tools.original()) }
    },
  }

  it('and does not say so ends each search without one', async () => {
    const { search } = createOptimizer({ retrievers, policy: silent })
    for (const _ of [1, 2]) await expectError(search('who'), 'bad-config')
  })

  it('and can do without one is left in peace', async () => {
    const policy: Policy = {
      name: 'modest',
      async run({ text }, tools) {
        await tools.ask(prompt, text).catch(() => {})
        return { hits: tools.fuse(await tools.original()) }
      },
    }
    expect((await createOptimizer({ retrievers, policy }).search('who')).hits).toHaveLength(1)
  })

  it("has the original query's results where the model is down", async () => {
    const down = scriptedChat([new TypeError('down')])
    const { trace, hits } = await createOptimizer({ retrievers, policy: acqo(), chat: down }).search('who')
    expect(trace.fallback?.code).toBe('TypeError')
    expect(hits).toHaveLength(1)
  })
})

describe('a policy that reads documents', () => {
  const undeclared = (bringing: () => boolean): Retriever => {
    const { name, retrieve } = bm25
    const byDocid = new Map(documents.map((document) => [document.docid, document]))
    const withDocuments = ({ hits, ...leg }: Leg): Leg =>
      ({ ...leg, hits: hits?.map((hit) => ({ ...hit, document: byDocid.get(hit.docid) })) }) as Leg
    return {
      name,
      async retrieve(subQueries, options) {
        const legs = await retrieve(subQueries, options)
        return bringing() ? legs.map(withDocuments) : legs
      },
    }
  }

  it('is refused where hits come without them and nothing finds them', () => {
    const { policy, rerank } = made
    for (const retriever of [bm25, resilient(bm25)])
      for (const parts of [made, { policy }, { rerank }]) {
        const make = () => createOptimizer({ retrievers: [retriever], ...parts })
        expectError(make, 'bad-config', /`documents`/)
      }
    createOptimizer({ retrievers: [bm25], documents: finderOf(documents), ...made })
    createOptimizer({ retrievers: [bm25, { ...bm25, name: 'other', bringsDocuments: true }], ...made })
  })

  it('ends the first search where only that shows it', async () => {
    const { search } = createOptimizer({ retrievers: [undeclared(() => false)], ...made })
    await expectError(search(question), 'bad-config')
    expect((await search('zzzz')).hits).toEqual([])
    await expectError(search(question), 'bad-config')
  })

  it('ends none once documents came', async () => {
    let brings = true
    const { search } = createOptimizer({ retrievers: [undeclared(() => brings)], ...made })
    const { trace, hits } = await search(question)
    expect(trace.steps.find((step) => step.type === 'rerank')?.pool).toBeGreaterThan(0)
    brings = false
    expect((await search(question)).hits).toHaveLength(hits.length)
  })
})

describe('before an engine', () => {
  const node = 'http://127.0.0.1:9'
  const making: readonly (readonly [string, (options: AppOptions) => Promise<unknown>])[] = [
    ['querent/elasticsearch', async (options) => querentElasticsearch(new Elasticsearch({ node }), options)],
    ['querent/opensearch', async (options) => querentOpensearch(new OpenSearch({ node }), options)],
    ['createProxy', (options) => createProxy({ target: node, ...options })],
  ]

  it.each(making)("%s refuses a policy's file that is missing or edited", async (_, make) => {
    await expectError(make({ policy: 'missing.json' }), 'missing-file')
    const edited = join(await temporaryFolder(), 'edited.json')
    await writeFile(edited, '{"format":"querent-policy","version":1}')
    await expectError(make({ policy: edited }), 'bad-policy')
  })

  it.each(making)('%s refuses a policy that asks a chat model without one', async (_, make) => {
    for (const policy of ['acqo', acqo()]) await expectError(make({ policy }), 'bad-config')
  })
})

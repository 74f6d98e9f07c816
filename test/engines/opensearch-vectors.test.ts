/** Vectors on OpenSearch: its newest version whose k-NN plugin can be had, a server of this file's own. */
import { afterAll } from 'vitest'
import { connectOpensearch } from '../../adapters/search/opensearch.ts'
import { startEngine } from '../support/engines.ts'
import { describeVectorBuild } from './engine-build.ts'
import { describeEngineVectors } from './engine-retriever.ts'

const server = await startEngine('opensearch-vectors')
afterAll(server.stop)

const engine = await connectOpensearch({ url: server.urls[0]! })
describeEngineVectors(engine)
describeVectorBuild(engine)

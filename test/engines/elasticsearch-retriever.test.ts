import { inject } from 'vitest'
import { connectElasticsearch } from '../../adapters/search/elasticsearch.ts'
import { describeEngineBuild, describeVectorBuild } from './engine-build.ts'
import { describeEngineRetriever, describeEngineVectors } from './engine-retriever.ts'

const engine = await connectElasticsearch({ url: inject('elasticsearch') })
describeEngineRetriever(engine)
describeEngineVectors(engine)
describeEngineBuild(engine)
describeVectorBuild(engine)

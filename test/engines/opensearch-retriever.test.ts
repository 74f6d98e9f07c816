import { inject } from 'vitest'
import { connectOpensearch } from '../../adapters/search/opensearch.ts'
import { describeEngineBuild } from './engine-build.ts'
import { describeEngineRetriever } from './engine-retriever.ts'

const engine = await connectOpensearch({ url: inject('opensearch') })
describeEngineRetriever(engine)
describeEngineBuild(engine)

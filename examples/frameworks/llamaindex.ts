/** An optimizer as a retriever of LlamaIndex.TS. */
import type { QueryBundle } from '@llamaindex/core/query-engine'
import { BaseRetriever } from '@llamaindex/core/retriever'
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema'
import { extractText } from '@llamaindex/core/utils'
import type { Optimizer } from 'querent'

export class QuerentRetriever extends BaseRetriever {
  readonly #optimizer: Optimizer
  readonly #k: number

  constructor(optimizer: Optimizer, k = 10) {
    super()
    this.#optimizer = optimizer
    this.#k = k
  }

  async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const wanted = { k: this.#k, answer: false, documents: true }
    const { hits } = await this.#optimizer.search(extractText(query), wanted)
    return hits.map(({ docid, score, document }) => {
      const metadata = document?.title === undefined ? {} : { title: document.title }
      return { score, node: new TextNode({ id_: docid, text: document?.text ?? '', metadata }) }
    })
  }
}

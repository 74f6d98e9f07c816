/** The judged collections that the local policy is measured on, with all that is kept beside them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TrainingCollection } from '../policies/local/training/example.ts'
import { filesOf, indexOf, type Source } from '../scripts/training-sources.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { conversationOf } from '../src/training/data/conversations.ts'
import type { Document, Embedder } from '../src/types.ts'

export interface Loaded extends TrainingCollection {
  close(): Promise<void>
  readonly corpus: ReadonlyMap<string, Document>
  /** qid → a language model's recorded sub-queries. */
  readonly rewrites: ReadonlyMap<string, readonly string[]>
  /** qid → whether a person who rewrote the turn left it as it was. Conversations only. */
  readonly standsAlone: ReadonlyMap<string, boolean>
}

export interface LoadOptions {
  /** The folder of the collections, and that of their indexes. */
  readonly collections: string
  readonly indexes: string
  readonly retrievers: readonly string[]
  readonly embedder?: Embedder | undefined
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

export async function loadCollection(
  source: Source,
  { collections, indexes, retrievers, embedder }: LoadOptions,
): Promise<Loaded> {
  const { name, folder: own = name } = source
  const folder = join(collections, own)
  const index = await openIndex(join(indexes, indexOf(source)), {
    retrievers,
    batched: true,
    ...(embedder && { embedder: async () => embedder }),
  })
  const { queries, qrels } = await readBeir(folder, filesOf(folder, source))
  const corpus = new Map<string, Document>()
  for await (const document of index.documents.all()) corpus.set(document.docid, document)
  const lines = (file: string): Record<string, unknown>[] =>
    existsSync(join(folder, file))
      ? readFileSync(join(folder, file), 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Record<string, unknown>)
      : []
  return {
    name,
    queries,
    qrels,
    retrievers: index.retrievers,
    corpus,
    documents: async (docids) => docids.map((docid) => corpus.get(docid)),
    corpusName: indexOf(source),
    close: () => index.close(),
    groupOf: conversationOf,
    rewrites: new Map(
      lines('rewrites.jsonl').map(({ qid, queries: texts }) => [qid as string, texts as string[]]),
    ),
    standsAlone: new Map(
      lines('queries.jsonl').flatMap(({ _id, text, metadata }) => {
        const rewrite = (metadata as { human_rewrite?: string } | undefined)?.human_rewrite
        return rewrite === undefined
          ? []
          : [[_id as string, plain(rewrite) === plain(text as string)] as const]
      }),
    ),
  }
}

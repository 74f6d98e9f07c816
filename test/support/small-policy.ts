/** A policy that was trained for a moment on the sample collection: it decides and re-ranks, if not well. */
import { join } from 'node:path'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { policyDigest } from '../../policies/local/policy-file/policy-digest.ts'
import { type PolicyFile, policyVersion } from '../../policies/local/policy-file/policy-file.ts'
import { writePolicy } from '../../policies/local/policy-file/policy-store.ts'
import { collectExamples } from '../../policies/local/training/example.ts'
import { trainPolicy } from '../../policies/local/training/train-policy.ts'
import { findCorpus, readBeir } from '../../src/evaluation/beir-folder.ts'
import { readCorpus } from '../../src/evaluation/corpus.ts'
import { countTerms } from '../../src/text/term-weights.ts'
import type { Document } from '../../src/types.ts'
import { finderOf } from './finder.ts'
import { temporaryFolder } from './temporary-folder.ts'

export const sampleFolder = 'src/sample'

let trained: Promise<PolicyFile> | undefined

/** The same one each time: it takes a second. */
export function smallPolicy(): Promise<PolicyFile> {
  trained ??= train()
  return trained
}

/** The sample collection's documents. */
export async function sampleDocuments(): Promise<Document[]> {
  const documents: Document[] = []
  for await (const document of readCorpus(await findCorpus(sampleFolder))) documents.push(document)
  return documents
}

/** The file of the small policy, or of a part of it. */
export async function smallPolicyFile(
  sections: readonly ('decision' | 'rerank')[] = ['decision', 'rerank'],
): Promise<string> {
  const { decision, rerank, digest: _, ...rest } = await smallPolicy()
  const policy = {
    ...rest,
    ...(sections.includes('decision') && { decision: decision! }),
    ...(sections.includes('rerank') && { rerank: rerank! }),
  }
  const path = join(await temporaryFolder(), 'policy.json')
  await writePolicy(path, { ...policy, digest: policyDigest(policy) })
  return path
}

async function train(): Promise<PolicyFile> {
  const documents = await sampleDocuments()
  const { queries, qrels } = await readBeir(sampleFolder)
  const bm25 = await buildWinkBm25(documents)
  const asked = queries.filter((_, index) => index % 3 === 0)
  const examples = await collectExamples(
    [{ name: 'sample', queries: asked, qrels, retrievers: [bm25], documents: finderOf(documents) }],
    { depth: 20 },
  )
  const terms = countTerms(documents)
  const { decision, rerank } = await trainPolicy(examples, terms, { seed: 1 })
  const policy = {
    format: 'querent-policy' as const,
    version: policyVersion,
    terms,
    decision,
    rerank: rerank!,
    options: { seed: 1 },
    trainedOn: [],
  }
  return { ...policy, digest: policyDigest(policy) }
}

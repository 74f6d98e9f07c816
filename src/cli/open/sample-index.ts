/** An index of the sample collection that comes with the package, for a look around. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SampleOfPage, SampleQuestion } from '../../../adapters/apps/http/page-response.ts'
import { QuerentError } from '../../errors.ts'
import { readBeir } from '../../evaluation/beir-folder.ts'
import { readCorpus } from '../../evaluation/corpus.ts'
import { buildIndex } from '../../index-folder/build.ts'
import { packageFolder } from '../../runtime/package-folder.ts'

/** A question that takes several searches of the sample. */
export const sampleQuestion = 'Was the author of Dracula born in the same city as the author of Ulysses?'

export interface SampleIndex {
  /** A temporary folder. */
  readonly folder: string
  /** What the page says of it. */
  readonly page: SampleOfPage
  remove(): Promise<void>
}

/** Takes a fraction of a second. @throws QuerentError `missing-file` where the package came without its sample */
export async function sampleIndex(signal: AbortSignal): Promise<SampleIndex> {
  if (packageFolder === undefined)
    throw new QuerentError('missing-file', 'The sample is not here', {
      remedy: 'Install querent as a package, or pass --index.',
    })
  const out = await mkdtemp(join(tmpdir(), 'querent-sample-'))
  const remove = (): Promise<void> => rm(out, { recursive: true, force: true })
  try {
    const folder = join(packageFolder.path, 'src/sample')
    const corpus = readCorpus(join(folder, 'corpus.jsonl'))
    const { manifest } = await buildIndex(corpus, { out, signal })
    const page = { documents: manifest.documents, questions: await questionsOf(folder) }
    return { folder: out, page, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

/** What the page suggests, by qid, in this order, and as what. */
const suggested: Readonly<Record<string, string>> = {
  q16: 'A comparison',
  q22: 'A chain of facts',
  q29: 'A conversation',
  q14: 'A comparison of people',
  q20: 'A chain with a name',
  q09: 'A plain question',
}

/** Those that are suggested come first. */
async function questionsOf(folder: string): Promise<SampleQuestion[]> {
  const { queries, qrels } = await readBeir(folder)
  const order = Object.keys(suggested)
  return queries
    .toSorted((one, other) => rankOf(one.qid) - rankOf(other.qid))
    .map(({ qid = '', text, history }) => {
      const suggestedAs = suggested[qid]
      return {
        text,
        ...(history && { history }),
        ...(suggestedAs !== undefined && { suggestedAs }),
        needed: [...(qrels.get(qid)?.keys() ?? [])],
      }
    })

  function rankOf(qid = ''): number {
    const at = order.indexOf(qid)
    return at < 0 ? order.length : at
  }
}

/**
 * An answering policy on the sample, with completions that a language model wrote once from the messages alone. A chat server replays
 * them. A prompt is known by its messages, so a changed prompt has no completion: that is counted, and no figure is made of it.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openaiChat } from '../../adapters/models/openai.ts'
import { buildWinkBm25 } from '../../adapters/search/wink-bm25.ts'
import { type Answered, scoreAnswers } from '../../src/evaluation/answer-metrics.ts'
import { readAnswers } from '../../src/evaluation/answers.ts'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import type { Document, FindDocuments, Message } from '../../src/types.ts'
import { completion, failure, startChatServer } from './chat-server.ts'
import { sampleDocuments, sampleFolder } from './small-policy.ts'

/** A line of a file of recorded completions. The digest is that of the messages. */
export interface RecordedCompletion {
  readonly qid: string
  readonly digest: string
  readonly completion: string
}

/** A prompt without a recorded completion. Its search ended there. */
interface MissingCompletion {
  readonly qid: string
  readonly digest: string
  readonly messages: unknown
}

export interface Replay {
  readonly missing: readonly MissingCompletion[]
  /** How many recorded completions no prompt asked for. */
  readonly unused: number
  /** qid → what the search gave. Searches that lack a completion are not in it. */
  readonly given: ReadonlyMap<string, Answered>
  readonly asks: number
}

/** The recorded completions of a policy. */
export async function recordedCompletions(policy: string): Promise<readonly RecordedCompletion[]> {
  const text = await readFile(join(sampleFolder, `completions-${policy}.jsonl`), 'utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCompletion)
}

/** What differs from the recording. Default: nothing. */
interface Differences {
  /** The document that the policy is shown in place of one of the sample. */
  readonly shown?: (document: Document) => Document
  /** The recorded words of a message, by which its completion is found. */
  readonly asRecorded?: (content: string) => string
}

/** Searches the sample's questions, one after the other, with a server that knows these completions and no others. */
export async function replay(
  policy: Policy,
  recorded: readonly RecordedCompletion[],
  { shown = (document) => document, asRecorded = (content) => content }: Differences = {},
): Promise<Replay> {
  const completions = new Map(recorded.map((line) => [line.digest, line.completion]))
  const missing: MissingCompletion[] = []
  const used = new Set<string>()
  let asks = 0
  let running = { qid: '', end: new AbortController() }
  const server = await startChatServer(({ body: { messages } }) => {
    const digest = digestOf(
      (messages as readonly Message[]).map((one) => ({ ...one, content: asRecorded(one.content) })),
    )
    const content = completions.get(digest)
    if (content === undefined) {
      missing.push({ qid: running.qid, digest, messages })
      running.end.abort()
      return failure(404, `no completion is recorded for ${digest}`)
    }
    used.add(digest)
    asks++
    return completion(content)
  })
  const chat = openaiChat({ baseUrl: server.url, model: 'recorded', retries: 0 })
  const bm25 = await buildWinkBm25(await sampleDocuments())
  const documents: FindDocuments = async (docids, options) =>
    (await bm25.documents!(docids, options)).map((document) => document && shown(document))
  const retrievers = [{ ...bm25, documents }]
  const { search } = createOptimizer({ retrievers, policy, chat })
  const { queries } = await readBeir(sampleFolder)
  const given = new Map<string, Answered>()
  for (const query of queries) {
    running = { qid: query.qid!, end: new AbortController() }
    const { signal } = running.end
    const result = await search(query, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    if (result !== undefined && !signal.aborted) given.set(query.qid!, result)
  }
  await server.close()
  return { missing, unused: completions.size - used.size, given, asks }
}

/** The digest by which a prompt is known again: of its messages, in 16 hexadecimal digits. */
/** By which a prompt is known. */
export const digestOf = (messages: unknown): string =>
  createHash('sha256').update(JSON.stringify(messages)).digest('hex').slice(0, 16)

/**
 * Means over the sample: of the metrics of answers, from 0 to 1, and of the prompts per question, rounded to three places. If
 * completions are missing, there is no figure but their number.
 */
export async function figuresOf({ missing, given, asks }: Replay): Promise<Readonly<Record<string, number>>> {
  if (missing.length > 0) return { 'missing completions': missing.length }
  const { qrels } = await readBeir(sampleFolder)
  const accepted = await readAnswers(join(sampleFolder, 'queries.jsonl'))
  const { means } = scoreAnswers(given, accepted, qrels, [...given.keys()])
  const rounded = Array.from(means, ([name, mean]) => [name, Number(mean.toFixed(3))] as const)
  return {
    queries: given.size,
    ...Object.fromEntries(rounded),
    asks: Number((asks / given.size).toFixed(3)),
  }
}

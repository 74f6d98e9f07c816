/** Agents of an answering policy that know the judgments and the answers of the sample: they bound what the policy can reach. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import type { Query } from '../../src/types.ts'
import type { SeenRequest } from './chat-server.ts'
import { sampleDocuments, sampleFolder } from './small-policy.ts'

export interface Judged {
  readonly query: Query & { readonly qid: string }
  readonly relevant: readonly string[]
  readonly answer: string
  /** Recorded sub-queries, written by a model that saw no documents. */
  readonly rewrites: readonly string[]
}

/** The judged queries of the sample, with their expected answers. */
export async function judgedSample(): Promise<readonly Judged[]> {
  const { queries, qrels } = await readBeir(sampleFolder)
  const rewrites = await linesOf('rewrites.jsonl', ({ qid, queries }) => [qid, queries as string[]])
  const answers = await linesOf('queries.jsonl', ({ _id, metadata }) => [
    _id,
    (metadata as { readonly answer: string }).answer,
  ])
  return queries.map((query) => {
    const qid = query.qid!
    const relevant = [...qrels.get(qid)!].filter(([, grade]) => grade > 0).map(([docid]) => docid)
    return { query: { ...query, qid }, relevant, answer: answers.get(qid)!, rewrites: rewrites.get(qid)! }
  })
}

async function linesOf<Value>(
  name: string,
  read: (line: Readonly<Record<string, unknown>>) => readonly [unknown, Value],
): Promise<ReadonlyMap<string, Value>> {
  const lines = (await readFile(join(sampleFolder, name), 'utf8')).trim().split('\n')
  return new Map(
    lines.map((line) => {
      const [qid, value] = read(JSON.parse(line) as Record<string, unknown>)
      return [String(qid), value]
    }),
  )
}

/** What an agent is asked: the task, the question, and the titles of the documents, in their order. */
interface Task {
  readonly instructions: string
  readonly question: string
  readonly titles: readonly string[]
  /** The last thought, the query and the facts of SPARKLE's prompts. */
  readonly thought: string | undefined
  readonly query: string | undefined
  readonly facts: readonly string[]
  /** The titles that the answers of MAO-ARAG's sub-questions name. */
  readonly solved: readonly string[]
}

function taskOf({ body }: SeenRequest): Task {
  const [system, user] = body.messages as readonly { readonly content: string }[]
  const content = user!.content
  return {
    instructions: system!.content,
    question: /[Qq]uestion:\n([^\n]*)$/.exec(content)![1]!,
    titles: Array.from(content.matchAll(/^Document ?\d+ \(Title: (.*?)\):/gm), ([, title]) => title!),
    thought: [...content.matchAll(/^<think>(.*)<\/think>$/gm)].at(-1)?.[1],
    query: /^Query:\n(.*)$/m.exec(content)?.[1],
    facts: /^Facts:\n([\s\S]*?)\n\n/.exec(content)?.[1]?.split('\n') ?? [],
    solved: [...content.matchAll(/^\d\. .* → according to (.*)$/gm)].flatMap(([, named]) =>
      named!.split(' | '),
    ),
  }
}

/** Questions of the sample whose parts do not need each other. */
const comparison = /^(?:Which is|Were|Who was born first|Who lived longer|Do|Was|Did|Which planet)\b/

/**
 * Agents that know: they route, split and search for what is relevant, choose the relevant documents, and give the expected answer if
 * all of these are among the documents. A question stays as it is in a conversation. Prompts are told apart by their first line.
 */
export async function oracleAgents(sample: readonly Judged[]): Promise<(request: SeenRequest) => string> {
  const byQuestion = new Map(
    sample.flatMap((judged) => [judged.query.text, ...judged.rewrites].map((text) => [text, judged])),
  )
  const titles = new Map((await sampleDocuments()).map(({ docid, title }) => [docid, title!]))
  return (request) => {
    const task = taskOf(request)
    const { query, relevant, answer, rewrites } = byQuestion.get(task.question)!
    const isPart = task.question !== query.text
    const wanted = relevant.map((docid) => titles.get(docid)!)
    const missing = wanted.filter((title) => !task.titles.includes(title))
    const places = wanted.map((title) => task.titles.indexOf(title)).filter((place) => place >= 0)
    const says: Readonly<Record<string, () => string>> = {
      // One prompt a round: it is answered as soon as all relevant documents are there.
      'You read what': () => {
        const keeps = `Documents: ${places.map((place) => place + 1).join(', ') || 'none'}`
        if (missing.length === 0) return `Answer: ${answer}\n${keeps}`
        const isLast = !task.instructions.includes('what to search next')
        return [
          ...(isLast ? ['Answer: unknown'] : missing.slice(0, 3).map((title) => `Search: ${title}`)),
          keeps,
        ].join('\n')
      },
      'You write queries': () => JSON.stringify({ query: task.question }),
      'You put the user': () => task.question,
      // MMOA-RAG
      'You prepare a question': () => rewrites.join('\n'),
      'You choose the documents': () => places.map((place) => `Document${place}`).join(',') || 'none',
      // C-3PO
      'You decide how a question': () => (relevant.length > 1 ? '[Planning]' : `[Retrieval] ${rewrites[0]}`),
      'You plan how': () => rewrites.map((text, place) => `${place + 1}. ${text}`).join('\n'),
      'You decide what comes next': () =>
        `Thought: so be it. Action: ${missing.length === 0 ? '[LLM]' : `[Retrieval] ${missing[0]}`}`,
      'You judge documents': () =>
        `Thought: so be it. Action: ${JSON.stringify(places.map((place) => place + 1))}`,
      // SPARKLE: a thought is the title of what is missing.
      'You think about': () =>
        missing.length === 0 ? `<answer>${answer}</answer>` : `<think>${missing[0]}</think>`,
      'You decide whether a search': () =>
        missing.includes(task.thought!) ? 'Yes (retrieval is required)' : 'No (retrieval is not required)',
      'You write the query': () =>
        `Step 1: <${task.question}; needs; [unknown]>\nStep 2: To continue answering the question, we need to know: ${task.thought}\nStep 3: ${task.thought}`,
      'You choose the one fact': () =>
        task.facts.find((fact) => fact.startsWith(`${task.query}: `)) ?? 'none',
      // MAO-ARAG: sub-questions are the recorded queries, which name what they need. Their answers name the relevant documents.
      'You plan the workflow': () => {
        if (isPart) return 'RA, DS, AG'
        if (relevant.length === 1) return 'QR, RA, DS, AG'
        return comparison.test(task.question) ? 'QDP' : 'QDS'
      },
      'You split a question': () => rewrites.join('\n'),
      'You rewrite a question': () => rewrites[0]!,
      'You rewrite a sub-question': () => task.question,
      'You put the answer': () => (wanted.every((title) => task.solved.includes(title)) ? answer : 'unknown'),
      'You answer': () => {
        const named = wanted.filter((title) => task.titles.includes(title))
        if (isPart) return named.length === 0 ? 'unknown' : `according to ${named.join(' | ')}`
        return missing.length === 0 ? answer : 'unknown'
      },
    }
    const known = Object.keys(says).find((beginning) => task.instructions.startsWith(beginning))
    return says[known!]!()
  }
}

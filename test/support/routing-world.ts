/**
 * A world in which questions need different ways: one search for "who wrote Book2", two for "Where was the author of Book3 born?". A
 * scripted model plays the agents of C-3PO and MAO-ARAG; which way it takes first is what rollouts try out.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { completion, type Reply, type SeenRequest } from './chat-server.ts'

const numbers = Array.from({ length: 24 }, (_, place) => place)
const isPlain = (number: number): boolean => number % 2 === 0
const answerOf = (number: number): string => (isPlain(number) ? `Author${number}` : `City${number}`)

/** Even numbers have plain questions, odd ones chains. */
const questionOf = (number: number): string =>
  isPlain(number) ? `who wrote Book${number}` : `Where was the author of Book${number} born?`

const jsonLines = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Writes a BEIR folder of 24 questions. The answer to a chain is in a document that only its author's name finds. */
export async function writeRoutingWorld(folder: string): Promise<void> {
  const documents = numbers.flatMap((number) => [
    { _id: `b${number}`, title: `Book${number}`, text: `A novel by Author${number}.` },
    { _id: `a${number}`, title: `Author${number}`, text: `Came from City${number}.` },
  ])
  const queries = numbers.map((number) => ({
    _id: `q${number}`,
    text: questionOf(number),
    metadata: { answer: answerOf(number) },
  }))
  const judged = numbers.map((number) => `q${number}\t${isPlain(number) ? 'b' : 'a'}${number}\t1\n`)
  await writeFile(join(folder, 'corpus.jsonl'), jsonLines(documents))
  await writeFile(join(folder, 'queries.jsonl'), jsonLines(queries))
  await writeFile(join(folder, 'qrels.tsv'), `query-id\tcorpus-id\tscore\n${judged.join('')}`)
}

const workflows = ['AG', 'RA, AG', 'RA, DS, AG', 'QDS']

/** Makes the model. MAO-ARAG's planner writes one workflow after the other. */
export function routingAgents(): (request: SeenRequest) => Reply {
  const planned = new Map<string, number>()

  function workflowFor(question: string, isWhole: boolean): string {
    if (!isWhole) return 'RA, AG'
    const count = planned.get(question) ?? 0
    planned.set(question, count + 1)
    return workflows[count % workflows.length]!
  }

  return ({ body }) => {
    const [system, user] = body.messages as readonly { readonly content: string }[]
    const [instructions, shown] = [system!.content, user!.content]
    const question = shown.slice(shown.lastIndexOf('Question:'))
    const number = Number(/(?:Book|Author)(\d+)/.exec(question)![1])
    const places = [...shown.matchAll(/^Document ?(\d+)/gm)].map(([, place]) => Number(place))
    const does = (words: string): boolean => instructions.startsWith(words)
    if (does('You decide how')) return completion(`[Retrieval] ${questionOf(number)}`)
    if (does('You plan how')) return completion('Find the author, then the city.')
    if (does('You decide what')) {
      const next = isPlain(number) ? `Book${number}` : `Author${number}`
      return completion(
        shown.includes(answerOf(number))
          ? 'Thought: enough. Action: [LLM]'
          : `Thought: search ${next}. Action: [Retrieval] ${next}`,
      )
    }
    if (does('You judge documents')) return completion(`Thought: all. Action: [${places.join(', ')}]`)
    if (does('You plan the workflow'))
      return completion(workflowFor(question, instructions.includes('that answers a question')))
    if (does('You split')) return completion(`who wrote Book${number}\nwhere did Author${number} come from`)
    if (does('You rewrite')) return completion(`where did Author${number} come from`)
    if (does('You put the answer'))
      return completion(shown.includes(answerOf(number)) ? answerOf(number) : 'unknown')
    if (does('You choose')) return completion(places.map((place) => `Document${place}`).join(','))
    const partial = /where did/.test(question)
      ? `City${number}`
      : /who wrote/.test(question)
        ? `Author${number}`
        : answerOf(number)
    return completion(shown.includes(partial) ? partial : 'unknown')
  }
}

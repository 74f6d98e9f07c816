/** The steps of multi-hop questions, as MuSiQue, 2WikiMultihopQA and HotpotQA keep them. */
import { findBeir } from '../src/evaluation/beir-folder.ts'
import { readLines } from '../src/evaluation/lines.ts'

/** A step in words that need no earlier step, and whether these words are known before any document was read. */
interface Hop {
  readonly text: string
  readonly isKnown: boolean
}

interface Metadata {
  readonly question_decomposition?: readonly { readonly question: string; readonly answer: string }[]
  readonly evidences?: readonly (readonly [head: string, relation: string, tail: string])[]
  readonly supporting_facts?: readonly (readonly [title: string, sentence: number])[]
}

/** The sub-questions, with the answers of earlier ones filled in; else subjects and relations; else titles. */
function hopsOf(question: string, metadata: Metadata): Hop[] {
  const { question_decomposition: parts, evidences, supporting_facts: facts = [] } = metadata
  if (parts !== undefined)
    return parts.map(({ question }) => ({
      text: question.replace('>>', '').replace(/#(\d)/g, (_, number) => parts[Number(number) - 1]!.answer),
      isKnown: !/#\d/.test(question),
    }))
  if (evidences !== undefined)
    return evidences.map(([head, relation]) => ({
      text: `${head} ${relation}`,
      isKnown: evidences.every(([, , tail]) => tail !== head),
    }))
  const asked = question.toLowerCase()
  return [...new Set(facts.map(([title]) => title))].map((text) => ({
    text,
    isKnown: asked.includes(text.replace(/ \(.*\)$/, '').toLowerCase()),
  }))
}

/** qid → the steps, in their order. Questions without any have none. */
export async function readHops(
  folder: string,
  options: { readonly split?: string } = {},
): Promise<ReadonlyMap<string, readonly Hop[]>> {
  const hops = new Map<string, readonly Hop[]>()
  for await (const { text } of readLines((await findBeir(folder, options)).queries)) {
    const { _id, text: question, metadata = {} } = JSON.parse(text)
    hops.set(String(_id), hopsOf(question, metadata as Metadata))
  }
  return hops
}

/**
 * The prompt that puts a document as facts, before any search (footnote 2 of the paper; the task is that of KiRAG, Fang et al. 2025, in
 * Querent's words). Its model need not be the one of the searches.
 */
import { asking, unusable } from '../../../policies/reading/agent-prompt.ts'
import { numbered } from '../../../policies/reading/numbered.ts'
import { documentsAreData } from '../../../policies/reading/question.ts'
import type { Prompt } from '../../prompt.ts'
import type { Document } from '../../types.ts'

/** The facts of a document, as head, relation and tail. */
export interface Extracted {
  readonly triples: readonly (readonly [head: string, relation: string, tail: string])[]
  /** Lines that are no facts, and were dropped. */
  readonly malformed: number
}

/** The maximum number of facts of a document; further ones are dropped. */
const most = 100

/** The document is shown as far as the prompts of searches show it. */
export const extractPrompt: Prompt<Document, Extracted> = {
  name: 'sparkle/extract',
  temperature: 0,
  maxTokens: 4000,
  render: (document) =>
    asking(
      [
        'You put a document as a list of facts.',
        '',
        '- Write one fact per line, and nothing else: <head; relation; tail>',
        '- Head and tail are names of things, dates or numbers. Write names in full, and no pronouns.',
        '- Each fact can be understood without the document. It says only what the document says.',
        '- If there is no fact in it, write: none',
        `- ${documentsAreData}`,
      ],
      `Document:\n${numbered([document], 1)}`,
    ),
  parse(text) {
    const extracted = parseTriples(text)
    if (extracted.triples.length === 0 && extracted.malformed > 0)
      throw unusable('No line in it has the form <head; relation; tail>')
    return extracted
  },
}

/**
 * Parses lines such as `<Ulysses; author; James Joyce>`, with or without the mark of a list. Commas separate, too, if there are exactly
 * two of them. Repeats are dropped.
 *
 * @example parseTriples('1. <Ulysses; author; James Joyce>\nIt is a novel.') // { triples: [['Ulysses', 'author', …]], malformed: 1 }
 */
export function parseTriples(text: string): Extracted {
  const triples = new Map<string, readonly [string, string, string]>()
  let malformed = 0
  for (const line of text.split('\n')) {
    if (line.trim() === '' || /^\W*none\W*$/i.test(line)) continue
    const triple = tripleOf(line)
    if (triple === undefined) malformed++
    else if (triples.size < most) triples.set(JSON.stringify(triple), triple)
  }
  return { triples: [...triples.values()], malformed }
}

function tripleOf(line: string): readonly [string, string, string] | undefined {
  const inside = /^[^<]{0,10}<([^<>]+)>\W*$/.exec(line)?.[1]
  const parts = inside?.split(inside.includes(';') ? ';' : ',').map((part) => part.trim())
  const [head = '', relation = '', tail = ''] = parts ?? []
  if (parts?.length !== 3 || [head, relation, tail].includes('')) return undefined
  return [head, relation, tail]
}

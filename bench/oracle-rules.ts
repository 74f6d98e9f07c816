/** Agents of the answering policies that know a question's steps, its relevant documents and its answer: functions in place of prompts. */
import { type C3poRules, c3po } from '../policies/c-3po/c-3po.ts'
import { type MaoRules, mao } from '../policies/mao-arag/mao.ts'
import { mmoa } from '../policies/mmoa-rag/mmoa.ts'
import { sparkle } from '../policies/sparkle/sparkle.ts'
import type { Triple } from '../policies/sparkle/triples.ts'
import type { Policy } from '../src/policy.ts'
import type { Document } from '../src/types.ts'

/** What an oracle knows of a question. */
export interface Known {
  /** Queries, in the order in which they are needed, with the answers of earlier ones filled in. */
  readonly steps: readonly string[]
  /** Those that can be written before any document was read. */
  readonly first: readonly string[]
  /** Docids. */
  readonly relevant: readonly string[]
  readonly answer: string
}

type OracleOf = (known: Known, asked: () => void) => Policy

/** Counts each question that a model would have been asked. */
const counted = <Rules extends object>(asked: () => void, rules: Rules): Rules =>
  Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [
      name,
      (input: unknown) => {
        asked()
        return rule(input)
      },
    ]),
  ) as Rules

const places = (documents: readonly Document[], { relevant }: Known): number[] =>
  documents.flatMap(({ docid }, place) => (relevant.includes(docid) ? [place] : []))

/** The answer, if all relevant documents are among these. */
const answerIf = (docids: readonly string[], { relevant, answer }: Known): string | undefined =>
  relevant.every((docid) => docids.includes(docid)) ? answer : undefined

const docidsOf = (documents: readonly Document[]): string[] => documents.map(({ docid }) => docid)

/** The agents of C-3PO but the router. */
export function c3poOracle(known: Known, asked: () => void): C3poRules {
  const left = [...known.steps]
  return {
    'reading/standalone': ({ question }) => question,
    ...counted(asked, {
      'c3po/plan': () => known.steps.join('\n'),
      'c3po/decide': ({ documents }: { documents: readonly Document[] }) =>
        left.length === 0 || answerIf(docidsOf(documents), known) !== undefined
          ? { action: 'answer' as const, thought: 'enough' }
          : { action: 'retrieval' as const, thought: 'the next step', query: left.shift()! },
      'c3po/filter': ({ documents }: { documents: readonly Document[] }) =>
        places(documents, known).map((place) => place + 1),
      'c3po/answer': ({ documents }: { documents: readonly Document[] }) =>
        answerIf(docidsOf(documents), known),
    }),
  }
}

/** The executors of MAO-ARAG. */
export const maoOracle = (known: Known, asked: () => void): MaoRules => ({
  'reading/standalone': ({ question }) => question,
  ...counted(asked, {
    'mao/decompose-serial': () => known.steps,
    'mao/decompose-parallel': () => known.steps,
    'mao/rewrite': ({ question }: { question: string }) => question,
    'mao/select': ({ documents }: { documents: readonly Document[] }) => places(documents, known),
    // The answer of a sub-question names the relevant documents that it was read from.
    'mao/answer': ({ question, documents }: { question: string; documents: readonly Document[] }) =>
      known.steps.includes(question) ? docidsOf(documents).join(' ') : answerIf(docidsOf(documents), known),
    'mao/summarize': ({ solved }: { solved: readonly { readonly answer: string }[] }) =>
      answerIf(
        solved.flatMap(({ answer }) => answer.split(' ')),
        known,
      ),
  }),
})

/** By the policy's name. Each is made for one search. */
export const oracles: Readonly<Record<string, OracleOf>> = {
  mmoa: (known, asked) =>
    mmoa({
      rules: counted(asked, {
        'mmoa/rewrite': () => known.first,
        'mmoa/select': ({ documents }: { documents: readonly Document[] }) => places(documents, known),
        'mmoa/answer': ({ documents }: { documents: readonly Document[] }) =>
          answerIf(docidsOf(documents), known),
      }),
    }),
  c3po: (known, asked) =>
    c3po({
      rules: {
        ...c3poOracle(known, asked),
        ...counted(asked, { 'c3po/router': () => ({ action: 'planning' as const }) }),
      },
    }),
  mao: (known, asked) =>
    mao({
      rules: {
        ...maoOracle(known, asked),
        ...counted(asked, {
          'mao/plan': ({ turn }: { turn: string }) =>
            turn === 'question' && known.steps.length > 1 ? ['QDS' as const] : (['RA', 'DS', 'AG'] as const),
        }),
      },
    }),
  sparkle(known, asked) {
    const left = [...known.steps]
    return sparkle({
      rules: {
        'reading/standalone': ({ question }) => question,
        ...counted(asked, {
          'sparkle/think': ({ documents }: { documents: readonly Document[] }) => {
            const answer = answerIf(docidsOf(documents), known)
            return answer !== undefined || left.length === 0 ? { answer } : { thought: left.shift()! }
          },
          'sparkle/decide': () => true,
          'sparkle/formulate': ({ thoughts }: { thoughts: readonly string[] }) => ({
            chain: '',
            query: thoughts.at(-1)!,
          }),
          'sparkle/integrate': ({ candidates }: { candidates: readonly Triple[] }) =>
            candidates.filter(({ docid }) => known.relevant.includes(docid)),
        }),
      },
    })
  },
}

/** What the planner of MAO-ARAG writes, a workflow, and what its decompositions write, sub-questions. */
import { explains, linesOf } from '../../src/completion/lines.ts'
import { queryLines } from '../../src/completion/query-lines.ts'
import { withoutRepeats } from '../../src/dedupe.ts'

/** Serial and parallel decomposition, query rewriter, document selector, retrieval, answer generator, answer summary. */
const executors = ['QDS', 'QDP', 'QR', 'DS', 'RA', 'AG', 'AS'] as const

/**
 * An executor's abbreviation.
 *
 * @useDeclaredType
 */
export type Executor = (typeof executors)[number]

const isExecutor = (name: string): name is Executor => executors.some((executor) => executor === name)

/**
 * The planner's input: the user's question (the first turn), one of its sub-questions, or, after all of them have answers, the
 * summary.
 */
export type Turn = 'question' | 'sub-question' | 'summary'

/** The grammar is Querent's: QDS | QDP | AS | [QR,] [RA, [DS,]] AG. The paper's text names seven workflows. */
const answering = ['AG', 'RA,AG', 'RA,DS,AG', 'QR,AG', 'QR,RA,AG', 'QR,RA,DS,AG']
const workflows: Readonly<Record<Turn, ReadonlySet<string>>> = {
  question: new Set(['QDS', 'QDP', ...answering]),
  'sub-question': new Set(answering),
  summary: new Set(['AS']),
}

/**
 * The executors in the planner's answer, or `undefined` if the answer is not a workflow for this turn (R_FP = 1, eq. 5). Ignores
 * spaces, case and a leading "Workflow:". Names are separated by commas, "and" or "→". R is RA.
 *
 * @example parseWorkflow('Workflow: ra, ds and ag', 'question') // ['RA', 'DS', 'AG']
 */
export function parseWorkflow(answer: string, turn: Turn): readonly Executor[] | undefined {
  const names = answer
    .replace(/^\s*workflow\s*:/i, '')
    .split(/,\s*and\b|,|→|\band\b/i)
    .map((name) => name.trim().toUpperCase())
    .map((name) => (name === 'R' ? 'RA' : name))
  return names.every(isExecutor) && workflows[turn].has(names.join(',')) ? names : undefined
}

/** The same for searching: of several lines the last workflow, else the listed names, else the one workflow that prose has in capitals. */
export function findWorkflow(answer: string, turn: Turn): readonly Executor[] | undefined {
  const texts = linesOf(answer)
    .filter((line) => !explains(line))
    .map(({ text }) =>
      text
        .replace(/\s*(?:->|[+;|/&>])\s*/g, ', ')
        .replace(/[^\p{L}\s,→:]/gu, ' ')
        .trim(),
    )
    .filter((text) => text !== '')
  const read = (text: string): readonly Executor[] | undefined => parseWorkflow(text, turn)
  const inProse = texts.flatMap((text) => text.match(/\b(?:[A-Z]{2,3}\b(?:,? and |\s*[,→]\s*)?)+/g) ?? [])
  const [only, ...others] = inProse.filter((text) => text.split(/[^A-Z]/).some(isExecutor))
  const one = only === undefined || others.length > 0 ? [] : [only.replace(/[^A-Z]+$/, '')]
  return [...one, ...texts, texts.join(',')].map(read).findLast((workflow) => workflow !== undefined)
}

/** The maximum number of sub-questions of a question, as in the paper. */
export const maxSubQuestions = 4

/**
 * The sub-questions of a decomposition: the first four lines, without the marks of a list. The same one again is left out (Querent's
 * rule).
 *
 * @example parseDecomposition('1. who wrote it?\n2. when?') // ['who wrote it?', 'when?']
 */
export const parseDecomposition = (output: string): string[] =>
  withoutRepeats(queryLines(output).map((text) => ({ text })))
    .slice(0, maxSubQuestions)
    .map(({ text }) => text)

/** Has a language model grade documents for queries. Every prompt is kept with its completion, and not asked again. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { tokensOf } from '../../../policies/agentic/prompt.ts'
import { parseRecord } from '../../evaluation/json-lines.ts'
import { runPrompt, type Usage } from '../../prompt.ts'
import type { ChatModel } from '../../types.ts'
import { type WorkOptions, workThrough } from '../work-through.ts'
import { gradePrompt, type Pair, type Reading } from './grade-prompt.ts'

interface LabelOptions extends Pick<WorkOptions<Reading>, 'out' | 'concurrency' | 'signal'> {
  readonly model: ChatModel
  /** What the grades 0 to 3 mean. Default: Querent's rubric. */
  readonly rubric?: string | undefined
}

export type Labels = Awaited<ReturnType<typeof openLabels>>

/** Reads the labels that are in the file `out`. @throws as `workThrough` does */
export async function openLabels({ model, rubric, ...options }: LabelOptions) {
  const prompt = gradePrompt(rubric)
  const known = new Map<string, number>()
  const tokens = { prompt: 0, completion: 0 }
  /** Another rubric or model, or a document that has changed, makes another prompt. */
  const keyOf = (reading: Reading): string =>
    createHash('sha256')
      .update(JSON.stringify([model.name, reading.number, prompt.render(reading)]))
      .digest('base64url')

  /** The grades of a pair, and what is to be asked before they are complete: two readings, then a third if they differ. */
  function stateOf(pair: Pair) {
    const readings = ([1, 2, 3] as const).map((number): Reading => ({ ...pair, number }))
    const keyed = readings.map((reading) => ({ reading, grade: known.get(keyOf(reading)) }))
    const [one, other] = keyed.map(({ grade }) => grade)
    const wanted = keyed.slice(0, one === undefined || other === undefined || one === other ? 2 : 3)
    return {
      grades: wanted.flatMap(({ grade }) => grade ?? []),
      missing: wanted.flatMap(({ reading, grade }) => (grade === undefined ? [reading] : [])),
    }
  }
  const missing = (pairs: readonly Pair[]) => pairs.flatMap((pair) => stateOf(pair).missing)

  async function lineOf(reading: Reading, signal: AbortSignal): Promise<string> {
    const usage: Usage = { attempts: 0, tokens: { prompt: 0, completion: 0 } }
    try {
      const grade = await runPrompt(prompt, reading, { model, usage, signal, onText: undefined })
      const key = keyOf(reading)
      known.set(key, grade)
      const { query, document, number } = reading
      const what = { key, qid: query.qid, docid: document.docid, reading: number, model: model.name, grade }
      return JSON.stringify({ ...what, prompt: prompt.render(reading), completion: usage.output })
    } finally {
      tokens.prompt += usage.tokens.prompt
      tokens.completion += usage.tokens.completion
    }
  }
  const work = (readings: readonly Reading[], onProgress?: (done: number) => void) =>
    workThrough(readings, {
      ...{ ...options, keyOf, work: lineOf, onProgress, lineBegins: '{"key":"' },
      keyOfLine(line, number) {
        const { key, grade } = parseRecord(lineSchema, line, options.out, number)
        known.set(key, grade)
        return key
      },
    })
  await work([])

  return {
    stateOf,
    /** What is left to ask, without the third readings that are not yet known to be needed. Tokens are estimated. */
    left(pairs: readonly Pair[]) {
      const prompts = missing(pairs).map(prompt.render)
      return { asks: prompts.length, tokens: Math.ceil(tokensOf(prompts.flat())) }
    },
    /** Asks it. @throws as `workThrough` does */
    async ask(pairs: readonly Pair[], onProgress: (done: number) => void) {
      const first = await work(missing(pairs), onProgress)
      const third = await work(missing(pairs).filter(({ number }) => number === 3))
      return { tokens, firstFailure: first.firstFailure ?? third.firstFailure }
    },
    /** The middle one of a pair's grades; `undefined` if some are missing. */
    gradeOf(pair: Pair): number | undefined {
      const { grades, missing } = stateOf(pair)
      return missing.length > 0 ? undefined : grades.toSorted()[Math.floor(grades.length / 2)]
    },
  }
}

const lineSchema = z.object({ key: z.string(), grade: z.int() })

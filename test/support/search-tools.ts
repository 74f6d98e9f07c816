/** The tools of one search, as a search makes them, over retrievers that answer what a test says. */
import { rankScore } from '../../fusion/rank-score.ts'
import { type Budget, budgetOf } from '../../src/budget.ts'
import { fanOut } from '../../src/fan-out.ts'
import { createTools, type SearchTools, type ToolSettings } from '../../src/tools.ts'
import { createRecorder, type Recorder } from '../../src/trace.ts'
import type { Query } from '../../src/types.ts'
import { manualClock } from './manual-clock.ts'
import { type ScriptedRetriever, scriptedRetriever } from './scripted.ts'

export interface ToolsUnderTest extends SearchTools {
  /** Writes the trace of the search. */
  readonly recorder: Recorder
  readonly retriever: ScriptedRetriever
}

/** What a test says of the search. Default: the query "who", no chat model, the default budget. */
export interface ToolScript extends Partial<Omit<ToolSettings, 'budget' | 'query'>> {
  readonly query?: Query
  readonly declared?: Budget
  readonly retriever?: ScriptedRetriever
}

export function searchTools({ declared, ...script }: ToolScript = {}): ToolsUnderTest {
  const { query = { text: 'who' }, clock = manualClock() } = script
  const { retriever = scriptedRetriever(), signal = new AbortController().signal } = script
  const recorder = script.recorder ?? createRecorder(clock, query, 'test', undefined)
  const made = createTools({
    query,
    clock,
    signal,
    recorder,
    k: 10,
    answers: true,
    budget: budgetOf(declared),
    prices: {},
    fusion: rankScore(),
    norm: undefined,
    modelFor: () => undefined,
    findDocuments: undefined,
    findValues: async () => [],
    onText: undefined,
    search: (_round, subQueries, filter) =>
      fanOut([retriever], subQueries, { k: 100, filter, timeout: 2000, signal, clock }),
    ...script,
  })
  return { ...made, recorder, retriever }
}

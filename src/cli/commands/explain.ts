import { answeredLists, type Explanation, explain } from '../../explain.ts'
import type { RerankReason } from '../../reranker.ts'
import type { Trace } from '../../types.ts'
import { prepareSearch, type SearchSetup } from '../open/build-search.ts'
import { readQuery } from '../open/query.ts'
import {
  consideredOf,
  describeDecision,
  describeFallback,
  describeFilters,
  missingLegs,
} from '../output/decision.ts'
import { hitTable, searchedTexts } from '../output/hit-table.ts'
import { inPlainWords } from '../output/plain-words.ts'
import { print, printJson, say } from '../output/terminal.ts'
import { describeConsidered, describeHit } from '../output/verbose-explanation.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

/** `querent explain <query> --index <dir>` */
export const runExplain: Run<SettingsOf<'explain'>> = async ([text], settings, terminal) => {
  const open = await prepareSearch(settings, terminal)
  const query = await readQuery(text!, settings, terminal)
  const search = await open()
  try {
    const { trace } = await search.optimizer.search(query, { signal: terminal.signal })
    const explanations = explain(trace, search.fusion)
    const reasons = await reasonsOf(trace, search)
    const hits = explanations.map((explanation) => {
      const reason = reasons.get(explanation.docid)
      return reason === undefined ? explanation : { ...explanation, reranked: reason }
    })
    if (settings.json) {
      for (const line of describeFallback(trace)) say(terminal, line)
      printJson(terminal, { hits, trace })
      return
    }
    const documents = await search.index.documents.get(explanations.map(({ docid }) => docid))
    const titles = documents.map((document) => document?.title ?? '')
    const lines = [
      ...inPlainWords(trace, search.fusion),
      ...describeFilters(trace),
      ...missingLegs(trace),
      '',
      ...searchedTexts(trace),
      '',
      ...hitTable(trace, titles),
      ...(settings.verbose ? ['', ...verbosely(trace, explanations, titles, reasons)] : []),
    ]
    for (const line of lines) print(terminal, line)
    if (!settings.verbose)
      say(terminal, "\n--verbose adds the policy's alternatives and the scores of each hit.")
  } finally {
    await search.close()
  }
}

/** What the policy considered, then each hit with its lists and features. */
function verbosely(
  trace: Trace,
  explanations: readonly Explanation[],
  titles: readonly string[],
  reasons: ReadonlyMap<string, RerankReason>,
): string[] {
  const considered = consideredOf(trace)
  return [
    ...describeDecision(trace),
    ...(considered === undefined ? [] : describeConsidered(considered)),
    ...explanations.flatMap((explanation, place) => [
      '',
      ...describeHit(explanation, titles[place]!, reasons.get(explanation.docid)),
    ]),
  ]
}

/** Why re-ranking placed each hit where it did, by docid. Computed again from the lists of the trace. */
async function reasonsOf(
  trace: Trace,
  { reranker, index }: SearchSetup,
): Promise<ReadonlyMap<string, RerankReason>> {
  const step = trace.steps.find((step) => step.type === 'rerank')
  if (reranker?.explain === undefined || step === undefined || step.error !== undefined) return new Map()
  const { hits } = trace.outcome
  // The re-ranker kept the fused order.
  if (hits.every(({ score, fused }) => score === fused?.score)) return new Map()
  const question = step.question === undefined ? trace.query : { text: step.question }
  const lists = answeredLists(trace)
  const needed =
    reranker.needs?.(question, lists, hits) ?? lists.flatMap(({ hits }) => hits.map(({ docid }) => docid))
  const found = await index.documents.get(needed)
  const documents = new Map(needed.map((docid, place) => [docid, found[place]]))
  const reasons = reranker.explain(question, lists, (docid) => documents.get(docid))
  const scoreOf = new Map(hits.map(({ docid, score }) => [docid, score]))
  // After a language model's rewrites, the fused order had a say in the score as well.
  return new Map(
    reasons.map((reason) => [reason.docid, { ...reason, score: scoreOf.get(reason.docid) ?? reason.score }]),
  )
}

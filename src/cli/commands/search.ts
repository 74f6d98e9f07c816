import { QuerentError } from '../../errors.ts'
import { answeredLists, explain, ranksAlone } from '../../explain.ts'
import { nothingFoundSentence } from '../../relax.ts'
import type { RerankReason } from '../../reranker.ts'
import type { SearchResult, Trace } from '../../types.ts'
import { prepareSearch, type SearchSetup } from '../open/build-search.ts'
import { readQuery } from '../open/query.ts'
import {
  describeDecision,
  describeFallback,
  failedAsks,
  failedReranking,
  scoreScale,
} from '../output/decision.ts'
import { answerLines, hitLines, type LiveSearch, liveSearch, noAnswer } from '../output/hits.ts'
import { print, printJson, say, type Terminal, widthOf } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

type Show<Settings> = (
  result: SearchResult,
  search: SearchSetup,
  settings: Settings,
  terminal: Terminal,
  live?: LiveSearch,
) => Promise<void>

/** `querent search <query> --index <dir>` */
export const run: Run<SettingsOf<'search'>> = ([text], settings, terminal) =>
  searchAndShow(text!, settings, terminal, showHits, {
    answer: settings.answer,
    live: settings.json ? undefined : liveSearch(terminal),
  })

/** `querent explain <query> --index <dir>` */
export const runExplain: Run<SettingsOf<'explain'>> = ([text], settings, terminal) =>
  searchAndShow(text!, settings, terminal, showReasons)

async function searchAndShow<Settings extends SettingsOf<'search'>>(
  text: string,
  settings: Settings,
  terminal: Terminal,
  show: Show<Settings>,
  { answer, live }: { readonly answer?: boolean | undefined; readonly live?: LiveSearch | undefined } = {},
): Promise<void> {
  if ('trace' in settings && settings.trace && !settings.json)
    throw new QuerentError('bad-config', '--trace needs --json', {
      remedy: 'Add --json. `querent explain` shows the same for people.',
    })
  const open = await prepareSearch(settings, terminal)
  const query = await readQuery(text, settings, terminal)
  const search = await open()
  try {
    const { observe, onText } = live ?? {}
    const result = await search.optimizer.search(query, { signal: terminal.signal, answer, observe, onText })
    await show(result, search, settings, terminal, live)
  } finally {
    await search.close()
  }
}

async function showHits(
  result: SearchResult,
  { index, fusion }: SearchSetup,
  { json, trace: isTraced }: SettingsOf<'search'>,
  terminal: Terminal,
  live?: LiveSearch,
): Promise<void> {
  const { trace, ...shown } = result
  const hits = await index.withDocuments(result.hits)
  if (json) {
    for (const line of [...describeFallback(trace), ...failedReranking(trace)]) say(terminal, line)
    return printJson(terminal, { ...shown, hits, scores: scoreScale(trace), ...(isTraced && { trace }) })
  }
  const answered = await answeredLines(result, index)
  for (const line of live?.unwritten(answered) ?? answered) print(terminal, line)
  for (const line of [...describeFallback(trace), ...failedAsks(trace), ...failedReranking(trace)])
    say(terminal, line)
  for (const line of hitLines(hits, ranksAlone(trace, fusion), widthOf(terminal))) print(terminal, line)
  const { nothingFound } = result
  if (nothingFound !== undefined) say(terminal, nothingFoundSentence(nothingFound))
  else if (hits.length === 0) say(terminal, 'Nothing was found.')
  for (const line of ['', ...describeDecision(trace)]) say(terminal, line)
}

/** The answer with the documents that it was read from, or that they do not tell it, and a blank line; nothing if none was wanted. */
async function answeredLines(
  { answer, citations = [], unanswered }: SearchResult,
  index: SearchSetup['index'],
): Promise<readonly string[]> {
  if (unanswered) return [noAnswer, '']
  if (answer === undefined) return []
  const found = await index.documents.get(citations)
  const cited = citations.map((docid, place) => {
    const { title, metadata } = found[place] ?? {}
    const url = metadata?.url
    return { docid, title, url: typeof url === 'string' ? url : undefined }
  })
  return [...answerLines(answer, cited), '']
}

async function showReasons(
  result: SearchResult,
  search: SearchSetup,
  { json, verbose = false }: SettingsOf<'explain'>,
  terminal: Terminal,
): Promise<void> {
  const { trace, answer, citations, unanswered } = result
  const reasons = await reasonsOf(trace, search)
  const explained = explain(trace, search.fusion).map((hit) => {
    const reranked = reasons.get(hit.docid)
    return reranked === undefined ? hit : { ...hit, reranked }
  })
  if (json) {
    for (const line of describeFallback(trace)) say(terminal, line)
    const told = { answer, citations, unanswered, scores: scoreScale(trace) }
    return printJson(terminal, { ...told, hits: explained, trace })
  }
  const documents = await search.index.documents.get(explained.map(({ docid }) => docid))
  const hits = explained.map((hit, place) => ({ ...hit, title: documents[place]?.title ?? '' }))
  const sources = trace.subQueries.flatMap(({ from }) => from ?? [])
  const found = await search.index.documents.get(sources)
  const titles = new Map(sources.map((docid, place) => [docid, found[place]?.title ?? docid]))
  for (const line of await answeredLines(result, search.index)) print(terminal, line)
  const { explanationLines } = await import('../output/explanation.ts')
  for (const line of explanationLines(trace, search.fusion, hits, verbose, titles)) print(terminal, line)
  if (!verbose) say(terminal, "\n--verbose adds the policy's alternatives and the scores of each hit.")
}

/** Why re-ranking placed each hit where it did, by docid. Computed again from the lists of the trace. */
async function reasonsOf(
  trace: Trace,
  { reranker, index }: SearchSetup,
): Promise<ReadonlyMap<string, RerankReason>> {
  const [step, ...others] = trace.steps.filter((step) => step.type === 'rerank')
  // Several were made for texts of their own.
  if (reranker?.explain === undefined || step === undefined || others.length > 0) return new Map()
  if (step.error !== undefined) return new Map()
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
  // After a language model's rewrites, the fused order had a say in the score as well.
  const scoreOf = new Map(
    hits.flatMap(({ docid, score, recency }) => (recency === undefined ? [[docid, score]] : [])),
  )
  return new Map(
    reasons.map((reason) => [reason.docid, { ...reason, score: scoreOf.get(reason.docid) ?? reason.score }]),
  )
}

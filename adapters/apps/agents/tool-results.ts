/** What the tools answer: structured content, and the same for people and for models that read text. */

import { nothingFoundSentence } from '../../../src/relax.ts'
import { cut } from '../../../src/text/cut.ts'
import type { Document, NothingFound, SearchResult, Trace } from '../../../src/types.ts'
import { answerOf } from '../http/answer.ts'
import type { ExplainedSearch, FoundBySearch, WrittenAnswer } from './tool-schemas.ts'

const noAnswer = 'No answer in the documents. The tool `search` shows what they say.'

/** A result of a tool in MCP's form. */
export type ToolResult<Structured> = {
  readonly content: { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent: Structured
}

const resultOf = <Structured>(
  structuredContent: Structured,
  lines: readonly string[],
): ToolResult<Structured> => ({ content: [{ type: 'text', text: lines.join('\n') }], structuredContent })

/** @param maxText the characters of a document that a hit shows; with 0, hits have titles alone */
export function searchResult(result: SearchResult, maxText: number): ToolResult<FoundBySearch> {
  const { hits, answerable, nothingFound, decision, took, partial } = answerOf(result, {
    documents: true,
    explain: false,
  })
  const found = hits.map(({ rank, docid, score, confidence, document }) => ({
    rank,
    docid,
    score,
    ...(confidence !== undefined && { confidence }),
    ...titleOf(document),
    ...(maxText > 0 && document && { text: cut(document.text, maxText) }),
  }))
  const structured = {
    hits: found,
    ...(answerable !== undefined && { answerable }),
    ...(nothingFound && { nothingFound }),
    ...decidedOf(decision, took, partial),
  }
  const blocks = found.map(({ rank, docid, title, text }) =>
    [`${rank}. ${title ?? docid} (docid: ${docid})`, ...(text === undefined ? [] : [text])].join('\n'),
  )
  const nothing =
    nothingFound === undefined ? [] : [nothingFoundSentence(nothingFound), whatToTry(nothingFound)]
  const shown = blocks.join('\n\n')
  const lines =
    nothing.length === 0 ? [shown || 'Nothing was found.'] : [...nothing, ...(shown ? ['', shown] : [])]
  return resultOf(structured, [...lines, ...missing(partial)])
}

const whatToTry = ({ query, missing: lacking = [] }: NothingFound): string =>
  query !== undefined
    ? `Try: ${query}`
    : `Try ${lacking.length > 0 ? 'other' : 'fewer'} words, or another filter if there is one.`

/** @returns `undefined` if no answer was written, nor the documents were found not to tell it */
export function answerResult(result: SearchResult): ToolResult<WrittenAnswer> | undefined {
  const { answer, citations = [], hits, ...shown } = answerOf(result, { documents: true, explain: false })
  const decided = decidedOf(shown.decision, shown.took, shown.partial)
  if (answer === undefined)
    return shown.unanswered && resultOf({ unanswered: true, citations: [], ...decided }, [noAnswer])
  const documents = new Map(hits.map(({ docid, document }) => [docid, document]))
  const cited = citations.map((docid) => ({ docid, ...titleOf(documents.get(docid)) }))
  const sources = cited.map(({ docid, title }, place) => `[${place + 1}] ${title ?? docid} (docid: ${docid})`)
  const structured = {
    answer,
    citations: cited,
    ...decided,
  }
  const basis = sources.length > 0 ? sources : ["It was read from no document: it is the model's own."]
  return resultOf(structured, [answer, '', ...basis, ...missing(shown.partial)])
}

export function explainResult(result: SearchResult): ToolResult<ExplainedSearch> {
  const { hits, decision, took, partial, trace } = answerOf(result, { documents: true, explain: true })
  const { policy, steps } = trace!
  const requests = steps.flatMap((step) =>
    step.type === 'retrieve'
      ? step.legs.map(({ retriever, subQuery, status, ms, hits: list = [] }) => ({
          retriever,
          query: subQuery.text,
          round: step.round,
          status,
          ms: Math.round(ms),
          hits: list.length,
        }))
      : [],
  )
  const explained = hits.map(({ rank, docid, score, document, fused, provenance = [] }) => ({
    rank,
    docid,
    score,
    ...titleOf(document),
    ...(fused && { fusedRank: fused.rank }),
    foundBy: provenance.map(({ retriever, subQuery, rank, score, share }) => ({
      retriever,
      query: subQuery.text,
      rank,
      score,
      ...(share !== undefined && { share }),
    })),
  }))
  const reranked = pooled(steps)
  const decided = decidedOf(decision, took, partial)
  return resultOf({ hits: explained, requests, reranked, ...decided }, [
    `The policy ${policy} chose ${decision.kind}: ${decision.reason}. The search took ${took} ms.`,
    ...requests.map(
      ({ retriever, query, status, hits, ms }) =>
        `- ${retriever}, "${query}": ${status === 'ok' ? `${hits} hits` : status}, ${ms} ms`,
    ),
    reranked > 0 ? `Re-ranking read ${reranked} documents.` : 'Nothing was re-ranked.',
    ...explained.map(({ rank, docid, title, fusedRank, foundBy }) =>
      [
        `${rank}. ${title ?? docid} (docid: ${docid})`,
        ...(fusedRank === undefined ? [] : [`rank ${fusedRank} before re-ranking`]),
        ...foundBy.map(
          ({ retriever, query, rank, share }) =>
            `rank ${rank} in ${retriever} for "${query}"${share === undefined ? '' : ` (${Math.round(100 * share)} %)`}`,
        ),
      ].join('; '),
    ),
    ...missing(partial),
  ])
}

/** How many documents the last re-ranking read, if it changed anything. */
function pooled(steps: Trace['steps']): number {
  const last = steps.findLast((step) => step.type === 'rerank')
  return last === undefined || last.error !== undefined ? 0 : last.pool
}

const decidedOf = (
  { kind, reason, subQueries }: Pick<Trace, 'kind' | 'reason' | 'subQueries'>,
  took: number,
  partial: boolean,
) => ({ decision: { kind, reason, subQueries: subQueries.map(({ text }) => text) }, took, partial })

const titleOf = (document: Document | undefined): { readonly title?: string } =>
  document?.title === undefined || document.title === '' ? {} : { title: document.title }

const missing = (partial: boolean): string[] =>
  partial ? ['', 'A part of the search failed: documents may be missing.'] : []

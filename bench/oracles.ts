/**
 * What the answering policies reach on multi-hop questions with agents that know: the question's steps, its relevant documents and its
 * answer, from the collection. Prints a table, and why each question was lost. It bounds the pipelines and says nothing about models.
 *
 *     npx tsx bench/oracles.ts hotpotqa-train 2wikimultihopqa-train musique-train [--limit 200]
 *
 * The collections are those of ../shared/data, searched with BM25.
 */
import { parseArgs } from 'node:util'
import { readAnswers } from '../src/evaluation/answers.ts'
import { findBeir, readBeir } from '../src/evaluation/beir-folder.ts'
import { createOptimizer } from '../src/optimizer.ts'
import { exactMatch } from '../src/text/answer.ts'
import type { Trace } from '../src/types.ts'
import { collectionFolder, collectionIndex } from '../test/support/collections.ts'
import { readHops } from './hops.ts'
import { oracles } from './oracle-rules.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { limit: { type: 'string', default: '200' } },
})

const table: string[] = []
const losses: string[] = []

for (const name of positionals) {
  const folder = collectionFolder(name)
  const { queries, qrels } = await readBeir(folder)
  const [hops, answers] = [await readHops(folder), await readAnswers((await findBeir(folder)).queries)]
  const judged = queries
    .filter(({ qid = '' }) => hops.get(qid)!.length > 0 && answers.has(qid) && qrels.has(qid))
    .slice(0, Number(values.limit))
  const index = await collectionIndex(name, { dense: false })
  for (const [policy, oracle] of Object.entries(oracles)) {
    const sums = { em: 0, cited: 0, recall: 0, asks: 0, rounds: 0 }
    const lost = { unreached: 0, deep: 0, unread: 0, other: 0 }
    for (const { history: _, ...query } of judged) {
      const relevant = [...qrels.get(query.qid!)!].filter(([, grade]) => grade > 0).map(([docid]) => docid)
      const steps = hops.get(query.qid!)!
      const accepted = answers.get(query.qid!)!
      const known = {
        steps: [...new Set(steps.map(({ text }) => text))],
        first: [...new Set(steps.filter(({ isKnown }) => isKnown).map(({ text }) => text))],
        relevant,
        answer: accepted[0]!,
      }
      const { search } = createOptimizer({
        retrievers: index.retrievers,
        documents: (docids) => index.documents.get(docids),
        policy: oracle(known, () => sums.asks++),
        // Other work on the machine must not decide.
        legTimeout: 60_000,
        budget: { timeout: 600_000 },
      })
      const { answer, citations = [], hits, trace } = await search(query)
      const share = (docids: readonly string[]): number =>
        relevant.filter((docid) => docids.includes(docid)).length / relevant.length
      const em = exactMatch(answer ?? '', accepted)
      sums.em += em
      sums.cited += share(citations)
      sums.recall += share(hits.slice(0, 5).map(({ docid }) => docid))
      sums.rounds += trace.steps.filter((step) => step.type === 'retrieve' && step.round > 0).length
      if (em === 0) lost[whyLost(relevant, trace)]++
    }
    const mean = (sum: number, digits = 3): string => (sum / judged.length).toFixed(digits)
    const { em, cited, recall, asks, rounds } = sums
    table.push(
      `| ${name} (${judged.length}) | ${policy} | ${mean(em)} | ${mean(cited)} | ${mean(recall)} | ${mean(asks, 2)} | ${mean(rounds, 2)} |`,
    )
    const { unreached, deep, unread, other } = lost
    losses.push(
      `| ${name} | ${policy} | ${judged.length - em} | ${unreached} | ${deep} | ${unread} | ${other} |`,
    )
  }
  await index.close()
}

/** By the relevant document that was hardest to come by: the best rank that a search of the policy had it at. */
function whyLost(
  relevant: readonly string[],
  { steps, outcome }: Trace,
): 'unreached' | 'deep' | 'unread' | 'other' {
  const missing = relevant.filter((docid) => !outcome.citations?.includes(docid))
  if (missing.length === 0) return 'other'
  const rounds = steps.filter((step) => step.type === 'retrieve')
  // A policy that searches the question alone reads the lists that are there already.
  const own = rounds.filter(({ round }) => round > 0)
  const lists = (own.length > 0 ? own : rounds).flatMap(({ legs }) => legs)
  const ranks = missing.map((docid) =>
    Math.min(
      ...lists.flatMap(({ hits = [] }) => {
        const place = hits.findIndex((hit) => hit.docid === docid)
        return place === -1 ? [] : [place + 1]
      }),
      Number.POSITIVE_INFINITY,
    ),
  )
  const worst = Math.max(...ranks)
  return worst === Number.POSITIVE_INFINITY ? 'unreached' : worst > 10 ? 'deep' : 'unread'
}

console.log(
  [
    '| collection | policy | EM | cited recall | recall@5 | prompts | rounds |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...table,
    '',
    '| collection | policy | lost | no search had it in 100 | at rank 11 to 100 | among the first ten, not read | otherwise |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
    ...losses,
  ].join('\n'),
)

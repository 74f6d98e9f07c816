/**
 * What the order of `mao`'s documents is worth on chains, with agents that know. In place of a model, rules know the sub-questions of
 * MuSiQue, their answers and the relevant documents. A sub-question is answered if a relevant document that has its answer is found. This
 * bounds the policy, and says nothing about models. Prints, for sub-questions with and without the document selector, recall@5 in % of
 * one sub-question's documents after the other's, as they stood before; of the hits, where they take turns; and the p of a paired test.
 *
 *     npx tsx bench/mao.ts [--collections <folder>] [--indexes <folder>] [--limit 200]
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { mao } from '../policies/mao-arag/mao.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { randomizationTest } from '../src/evaluation/significance.ts'
import { openIndex } from '../src/index-folder/open.ts'
import { mean } from '../src/learn/statistics.ts'
import { createOptimizer } from '../src/optimizer.ts'

const { values } = parseArgs({
  options: {
    collections: { type: 'string', default: '../shared/data' },
    indexes: { type: 'string', default: '.querent/bench' },
    limit: { type: 'string', default: '200' },
  },
})

type Steps = readonly { readonly question: string; readonly answer: string }[]

const folder = join(values.collections, 'musique-train')
const lines = (await readFile(join(folder, 'queries.jsonl'), 'utf8')).trim().split('\n')
const stepsOf = new Map<string, Steps>(
  lines.map((line) => [JSON.parse(line)._id, JSON.parse(line).metadata.question_decomposition]),
)
const { queries, qrels } = await readBeir(folder)
const asked = queries.filter(({ qid = '' }) => qrels.has(qid)).slice(0, Number(values.limit))
const index = await openIndex(join(values.indexes, 'musique-train'), { retrievers: ['bm25'] })

async function recallsOf(qid: string, text: string, isSelected: boolean) {
  const steps = stepsOf.get(qid)!
  const relevant = new Set([...qrels.get(qid)!].flatMap(([docid, grade]) => (grade > 0 ? docid : [])))
  const complete = (part: string) => part.replace(/#(\d)/g, (_, place) => steps[Number(place) - 1]!.answer)
  const found: string[] = []
  const policy = mao({
    rules: {
      'reading/standalone': ({ question }) => question,
      'mao/plan': ({ turn }) =>
        turn === 'question' ? ['QDS'] : isSelected ? ['RA', 'DS', 'AG'] : ['RA', 'AG'],
      'mao/decompose-serial': () => steps.map(({ question }) => question),
      'mao/decompose-parallel': () => [],
      'mao/rewrite': ({ question }) => complete(question),
      'mao/select': ({ documents }) =>
        [...documents.keys()].filter((at) => relevant.has(documents[at]!.docid)),
      'mao/answer': ({ question, documents }) => {
        found.push(...documents.map(({ docid }) => docid))
        const { answer } = steps.find((step) => complete(step.question) === question)!
        const told = documents.flatMap((one) => (relevant.has(one.docid) ? [one.title, one.text] : []))
        return told.join(' ').toLowerCase().includes(answer.toLowerCase()) ? answer : undefined
      },
      'mao/summarize': ({ solved }) =>
        solved.some(({ answer }) => answer === 'unknown') ? undefined : solved.at(-1)!.answer,
    },
  })
  const documents = (docids: readonly string[]) => index.documents.get(docids)
  const { hits } = await createOptimizer({ retrievers: index.retrievers, policy, documents }).search(text)
  const recall = (docids: Iterable<string>) =>
    [...new Set(docids)].slice(0, 5).filter((docid) => relevant.has(docid)).length / relevant.size
  const ranked = hits.map(({ docid }) => docid)
  return { before: recall([...found, ...ranked]), now: recall(ranked) }
}

console.log('| sub-questions | before | in turns | p |\n| --- | ---: | ---: | ---: |')
for (const isSelected of [false, true]) {
  const recalls = await Promise.all(asked.map(({ qid = '', text }) => recallsOf(qid, text, isSelected)))
  const [before, now] = [recalls.map((one) => one.before), recalls.map((one) => one.now)]
  const [was, is] = [before, now].map((all) => (100 * mean(all)).toFixed(1))
  const { p } = randomizationTest(now, before)
  const workflow = isSelected ? 'RA, DS, AG' : 'RA, AG'
  console.log(`| ${workflow} (${asked.length}) | ${was} | ${is} | ${p.toFixed(4)} |`)
}
await index.close()

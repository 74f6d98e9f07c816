/**
 * Whether a chooser, trained on rollouts, chooses better than one way for every question. The agents know each question's steps, its
 * relevant documents and its answer, so this bounds the policies and says nothing about models. Prints a table.
 *
 *     npx tsx bench/chooser.ts [--policy c3po | mao] [--skip 0] [--limit 200] [--cost 0.01] [--seeds 3] [--out chooser.json]
 *
 * Five folds that share no relevant document: each question is chosen for by a chooser trained on the other four. The collections are
 * those of ../shared/data, searched with BM25.
 */
import { parseArgs } from 'node:util'
import { c3po } from '../policies/c-3po/c-3po.ts'
import { prepareChooser } from '../policies/chooser/chooser.ts'
import { writeChooser } from '../policies/chooser/chooser-file.ts'
import { choiceValues } from '../policies/chooser/training/choice-values.ts'
import { type RolledOut, trainChooser } from '../policies/chooser/training/train-chooser.ts'
import { mao } from '../policies/mao-arag/mao.ts'
import { readBeir } from '../src/evaluation/beir-folder.ts'
import { randomizationTest } from '../src/evaluation/significance.ts'
import { foldsOf } from '../src/learn/folds.ts'
import { mean } from '../src/learn/statistics.ts'
import { createOptimizer } from '../src/optimizer.ts'
import type { Policy } from '../src/policy.ts'
import { relevantOf } from '../src/training/data/relevant-docs.ts'
import type { RecordedNode } from '../src/training/rollouts/record.ts'
import { collectionFolder, collectionIndex } from '../test/support/collections.ts'
import { readHops } from './hops.ts'
import { c3poOracle, type Known, maoOracle } from './oracle-rules.ts'

const { values: given } = parseArgs({
  options: {
    policy: { type: 'string', default: 'c3po' },
    limit: { type: 'string', default: '200' },
    skip: { type: 'string', default: '0' },
    cost: { type: 'string', default: '0.01' },
    seeds: { type: 'string', default: '3' },
    out: { type: 'string' },
  },
})
const cost = Number(given.cost)
const skip = Number(given.skip)

/** Chains of facts and plain questions, with the collection whose index has their documents. */
const collections = [
  ['hotpotqa-train'],
  ['2wikimultihopqa-train'],
  ['musique-train'],
  ['nq-train'],
  ['squad-train', 'nq-train'],
  ['feedbackqa-train'],
] as const

/** A choice, as a model would write it, and the policy that always makes it. */
const ways: Readonly<
  Record<string, readonly (readonly [string, (k: Known, asked: () => void) => Policy])[]>
> = {
  c3po: [
    ['[No Retrieval]', (known, asked) => c3po({ rules: c3poOracle(known, asked), force: 'no-retrieval' })],
    ['[Retrieval] as it is', (known, asked) => c3po({ rules: c3poOracle(known, asked), force: 'retrieval' })],
    ['[Planning]', (known, asked) => c3po({ rules: c3poOracle(known, asked), force: 'planning' })],
  ],
  mao: ['AG', 'RA, AG', 'RA, DS, AG', 'QDS', 'QDP'].map((workflow) => [
    workflow,
    (known, asked) => mao({ rules: maoOracle(known, asked), workflow }),
  ]),
}

interface Tried extends RolledOut {
  readonly collection: string
  readonly relevant: readonly string[]
}

const prompt = given.policy === 'mao' ? 'mao/plan' : 'c3po/router'
const tried: Tried[] = []
for (const [name, indexed = name] of collections) {
  const folder = collectionFolder(name)
  const { queries, qrels } = await readBeir(folder)
  const hops = await readHops(folder)
  const index = await collectionIndex(indexed, { dense: false })
  const judged = queries.filter(({ qid = '' }) => qrels.has(qid) && relevantOf(qrels.get(qid)).length > 0)
  for (const { history: _, ...query } of judged.slice(skip, skip + Number(given.limit))) {
    const relevant = relevantOf(qrels.get(query.qid!))
    const chain = [...new Set((hops.get(query.qid!) ?? []).map(({ text }) => text))]
    // A plain question is its own only step. The blank tells it from the question as a whole.
    const steps = chain.length > 1 ? chain : [`${query.text} `]
    const known = { steps, first: steps, relevant, answer: 'the answer' }
    const nodes: RecordedNode[] = []
    for (const [completion, make] of ways[given.policy]!) {
      let asks = 0
      const policy = make(known, () => asks++)
      const { search } = createOptimizer({
        retrievers: index.retrievers,
        documents: (docids) => index.documents.get(docids),
        policy,
        legTimeout: 60_000,
        budget: { timeout: 600_000 },
      })
      const { answer } = await search(query)
      const reward = answer === 'the answer' ? 1 : 0
      const add = (node: Omit<RecordedNode, 'id' | 'messages'>): number =>
        nodes.push({ id: nodes.length + 1, messages: [], ...node })
      let parent = add({ parent: 0, prompt, agent: prompt, completion, value: reward })
      for (let ask = 1; ask < asks; ask++) parent = add({ parent, prompt: 'another', completion: '' })
      nodes[parent - 1] = { ...nodes[parent - 1]!, reward }
    }
    const record = {
      version: 1 as const,
      qid: `${name}/${query.qid}`,
      policy: given.policy,
      settings: {},
      nodes,
    }
    tried.push({ collection: name, text: query.text, relevant, record })
  }
  await index.close()
  console.error(`${name}: ${tried.filter(({ collection }) => collection === name).length} questions`)
}

const seeds = Number(given.seeds)
const folds = foldsOf(
  tried.map(({ relevant }) => relevant),
  5,
  1,
)
const values = tried.map(({ record }) => choiceValues(record, prompt, cost))
const names = [...values[0]!.keys()]
const learned = tried.map(() => [] as number[])
const fixed: string[] = tried.map(() => '')
const chosen = new Map<string, Map<string, number>>()
for (let fold = 0; fold < 5; fold++) {
  const others = tried.filter((_, place) => folds[place] !== fold)
  for (let seed = 1; seed <= seeds; seed++) {
    const { chooser, values: means } = await trainChooser(others, { cost, seed })
    const choose = prepareChooser(chooser)
    tried.forEach(({ text, collection }, place) => {
      if (folds[place] !== fold) return
      const choice = choose(text)
      learned[place]!.push(values[place]!.get(choice)!)
      const counts = chosen.get(collection) ?? new Map<string, number>()
      chosen.set(collection, counts.set(choice, (counts.get(choice) ?? 0) + 1))
      fixed[place] = [...means].reduce((best, one) => (one[1] > best[1] ? one : best))[0]
    })
  }
}

const percent = (value: number): string => (100 * value).toFixed(1)
console.log(
  `| collection | questions | ${names.join(' | ')} | best way for all | chooser | best for each | chosen |`,
)
console.log(`| --- | ---: | ${names.map(() => '---: | ').join('')}---: | ---: | ---: | --- |`)
for (const name of [...collections.map(([name]) => name), 'all']) {
  const places = tried.flatMap(({ collection }, place) =>
    name === 'all' || collection === name ? [place] : [],
  )
  const over = (value: (place: number) => number): string => percent(mean(places.map(value)))
  const counts = chosen.get(name) ?? new Map<string, number>()
  const cells = [
    ...names.map((choice) => over((place) => values[place]!.get(choice)!)),
    over((place) => values[place]!.get(fixed[place]!)!),
    over((place) => mean(learned[place]!)),
    over((place) => Math.max(...values[place]!.values())),
    names
      .map((choice) => `${choice} ${Math.round((100 * (counts.get(choice) ?? 0)) / places.length / seeds)} %`)
      .join(', '),
  ]
  console.log(
    `| ${name} | ${places.length} | ${cells.slice(0, -1).join(' | ')} | ${name === 'all' ? '' : cells.at(-1)} |`,
  )
}
const { difference, p } = randomizationTest(
  learned.map((each) => mean(each)),
  fixed.map((choice, place) => values[place]!.get(choice)!),
)
console.log(`\nChooser less the best way for all: ${percent(difference)} points, p = ${p.toFixed(4)}`)
if (given.out !== undefined) await writeChooser(given.out, (await trainChooser(tried, { cost })).chooser)

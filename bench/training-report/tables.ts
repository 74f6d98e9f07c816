/** All tables of the experiments, and the document in `bench/results/` that they make. */
import { count, percent, whole } from '../../src/evaluation/report/words.ts'
import type { Experiments, Study } from '../experiments/experiments.ts'
import { queryTypes } from '../experiments/query-type.ts'
import { curveTable } from './curve-table.ts'
import { decisionTable } from './decision-table.ts'
import { headline, mainFindings, otherFindings, rivals } from './findings.ts'
import { requestsTables } from './requests-table.ts'
import { differenceTable, scoreTable, verdictTable } from './study-tables.ts'
import { type Table, tableMarkdown } from './table.ts'
import { timeTables } from './time-tables.ts'

/** Tables of one question, under one heading. */
export interface TableSection {
  /** Lower-case letters and `-`. */
  readonly id: string
  readonly title: string
  readonly text: string
  readonly tables: readonly Table[]
}

/** What was found out, question by question; questions that were not asked are left out. */
export function tableSections(experiments: Experiments): TableSection[] {
  const { comparison, equalRequests, requestCurve, curve, decisions, byType, byGolds, byDifficulty } =
    experiments
  const { ablations, numbers, filters, leftOut, retrievers } = experiments
  const all = { ...comparison, groups: comparison.groups.slice(0, 1) }
  const each = { ...comparison, groups: comparison.groups.slice(1) }
  return [
    {
      id: 'comparison',
      title: 'Was anything learned?',
      text: `The learned policy on held-out queries against the query as it is, the best fixed set of sub-queries (${fixedSets(experiments)}), a policy that knows no context, uniform choice, the same policy trained on the rewards of other queries, and the oracle, which takes the best of all choices. The best fixed set and the oracle are chosen by Stage II reward as it is, without what training takes off.`,
      tables: [
        scoreTable('All queries', all),
        differenceTable('reward', all),
        verdictTable('Significantly below any of them?', comparison, rivals, [
          'reward',
          'recall@5',
          'ndcg@10',
        ]),
        scoreTable('Each collection', each),
        differenceTable('reward', each),
        differenceTable('recall@5', comparison),
        differenceTable('ndcg@10', comparison),
      ],
    },
    {
      id: 'requests',
      title: 'With as many requests',
      text: 'A rival that would send more requests than the learned policy searches its sets for a share of the queries, drawn without looking at them, and leaves the others alone: its values are the expected ones. The share is chosen on all queries, for the decision alone and with re-ranking, whose requests for a wider pool count.',
      tables: [
        ...requestsTables(requestCurve),
        differenceTable('ndcg@10', equalRequests),
        differenceTable('recall@5', equalRequests),
      ],
    },
    {
      id: 'curves',
      title: 'Learning curves',
      text: "Of the first of the policies whose mean decides; mean over seeds and parts, ± their standard deviation. “Drawn” is what the policy expects when it draws, as in training; “taken” is of the choice with the highest score, as in a search. Rewards are Stage II's as they are, in both stages.",
      tables: [curveTable(curve)],
    },
    {
      id: 'decisions',
      title: 'Decisions',
      text: `Types of queries, the first that fits: ${Object.entries(queryTypes)
        .map(([name, what]) => `${name} (${what})`)
        .join(', ')}. A second stage is saved where no sub-query is made from what the query as it is found.`,
      tables: [
        decisionTable('By type', decisions.byType),
        decisionTable('By collection', decisions.byCollection),
        ...studyTables('What comes of it, by type', byType),
      ],
    },
    {
      id: 'difficulty',
      title: 'By relevant documents, and easy and hard queries',
      text: "As in ACQO's Table 1. Easy are queries for which the query as it is finds everything relevant among the first ten. They are chosen by its results, so that on them it can only lose, and on the hard ones only win.",
      tables: [
        ...studyTables('By number of relevant documents', byGolds),
        ...studyTables('Easy and hard', byDifficulty),
      ],
    },
    ...(numbers === undefined
      ? []
      : [
          {
            id: 'numbers',
            title: 'One, two or three sub-queries against the chosen number',
            text: "As in ACQO's Figure 2: the number is given and which ones is learned; where so many cannot be made, the next lower number. Each was trained anew and is measured on the first part of each seed.",
            tables: studyTables('Fixed numbers', numbers),
          },
        ]),
    ...(ablations === undefined
      ? []
      : [
          {
            id: 'ablations',
            title: 'Without a part of it',
            text: `As in ACQO's Table 5: retrained without the part, and measured without it, on the first part of each seed. Re-ranking is not retrained; without re-ranking is the column of the decision alone.${filterText(experiments)}`,
            tables: studyTables('Ablations', ablations),
          },
        ]),
    ...(filters === undefined
      ? []
      : [
          {
            id: 'filters',
            title: 'The data filters of the paper',
            text: `Trained with the filter, with a gate of its own, on the first part of each seed. Re-ranking is not retrained.${filterText(experiments)}`,
            tables: [
              scoreTable('Filters', filters),
              differenceTable('ndcg@10', filters),
              differenceTable('recall@5', filters),
            ],
          },
        ]),
    ...(leftOut === undefined
      ? []
      : [
          {
            id: 'left-out',
            title: 'On a collection it was not trained on',
            text: 'Trained on the other collections, against the policy that was trained with two thirds of this one, too. Second stage and re-ranking are fitted with the first seed only.',
            tables: [
              ...studyTables('Leave one collection out', leftOut),
              differenceTable('ndcg@10', leftOut),
            ],
          },
        ]),
    ...(retrievers === undefined
      ? []
      : [
          {
            id: 'retrievers',
            title: 'On a retriever it was not trained on',
            text: 'Named is the retriever that is searched. All sections of the policy are trained on the one and used on the other.',
            tables: studyTables('Retriever matrix', retrievers),
          },
        ]),
    {
      id: 'times',
      title: 'Time and sub-queries',
      text: "As in ACQO's Table 6, in this process, one search after the other, on the machine that made this page; a look at the sizes, not a benchmark.",
      tables: timeTables(experiments),
    },
  ]
}

const studyTables = (title: string, study: Study): Table[] => [
  scoreTable(title, study),
  differenceTable('reward', study),
]

function fixedSets({ fixedSets: sets }: Experiments): string {
  const told = sets.slice(0, 3).map(({ template, parts }) => `${template}: ${count(parts, 'time')}`)
  return `${told.join('; ')}${sets.length > 3 ? `; ${count(sets.length - 3, 'other')}` : ''}`
}

function filterText({ filtered }: Experiments): string {
  return filtered === undefined
    ? ''
    : ` The paper's filter kept ${percent(filtered.kept / filtered.of)} of the training queries for Stage II (${whole(filtered.kept)} of ${whole(filtered.of)}, mean of the seeds); by default it is off.`
}

/** How it was measured, in sentences. */
export function method({ setup }: Experiments): string[] {
  const { seeds, parts, rerankedParts, reward, rounds, samples, alpha, retrievers } = setup
  return [
    `For each of ${count(seeds.length, 'seed')} the queries are dealt into ${parts} parts that share no relevant document and no conversation. What is said of a query was learned from the other parts, but for one thing: the second stage's scorers are cross-fitted once a seed, so that each query's candidates come from scorers that were fitted without its part, and those of a training query from scorers that saw the part that is held out. All policies that are compared share them. Re-ranking is fitted and measured on ${rerankedParts === parts ? 'all parts' : `${count(rerankedParts, 'part')} of each seed`}; so are variants of the policy, on the first one.`,
    `Retrieval: ${retrievers.join(' and ')}. Reward: η ${reward.eta ?? 1}, k* ${reward.kStar ?? 0}.${charges(reward)} Recall, nDCG and MRR are in percent.`,
    `A query's value is its mean over seeds; ± is the standard deviation of the seeds' means. Differences are paired by query: Fisher's randomization test (${whole(rounds)} rounds), corrected with Holm's method over all rows and groups of a study for each measure and column, significant below ${alpha}; intervals are 95 % percentile bootstraps over queries (${whole(samples)} samples) and are not corrected.`,
  ]
}

/** What training takes off the reward. */
function charges({ cost = 0 }: Experiments['setup']['reward']): string {
  return cost === 0 ? '' : ` In training, though not in these figures, it is less ${cost} for each sub-query.`
}

/** Markdown for `bench/results/`. The same experiments give the same text. */
export function trainingTables(
  experiments: Experiments,
  { command }: { readonly command?: string } = {},
): string {
  const { collections } = experiments.setup
  const heading = (level: number, text: string): string => `${'#'.repeat(level)} ${text}`
  const blocks = [
    heading(1, 'What training the local policy comes to'),
    `${headline(experiments)}. Measured with ${count(experiments.setup.seeds.length, 'seed')} on ${collections.map(({ name, queries }) => `${name} (${whole(queries)} queries)`).join(', ')}. Gains, nulls and losses are printed alike: “no difference shown” means that the difference may be chance.`,
    ...(command === undefined ? [] : [`Made by\n\n\`\`\`sh\n${command}\n\`\`\``]),
    [...mainFindings(experiments), ...otherFindings(experiments)].map((finding) => `- ${finding}`).join('\n'),
    heading(2, 'How it was measured'),
    ...method(experiments),
    ...tableSections(experiments).flatMap(({ title, text, tables }) => [
      heading(2, title),
      text,
      ...tables.flatMap((table) => [
        heading(3, table.title),
        ...(table.note === undefined ? [] : [table.note]),
        tableMarkdown(table),
      ]),
    ]),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** What all trainings on the same problems share: their standardized features. With many queries, they take a while. */
import { QuerentError } from '../../../src/errors.ts'
import type { Standard } from '../../../src/learn/forward-pass.ts'
import type { Rows } from '../../../src/learn/products.ts'
import { standardizeParts } from '../../../src/learn/standardized-rows.ts'
import type { ChoiceProblem } from './choice-learner.ts'

export interface PreparedProblems {
  readonly problems: readonly ChoiceProblem[]
  /** The names of the features, in the order of a row. */
  readonly inputs: readonly string[]
  readonly standard: Standard
  /** The standardized rows of each problem. */
  readonly tables: readonly Rows[]
}

/** @throws QuerentError `bad-config` for inconsistent problems, or a feature that is not a finite number */
export function prepareProblems(
  problems: readonly ChoiceProblem[],
  inputs: readonly string[],
): PreparedProblems {
  checkProblems(problems, inputs.length)
  const everyAction = problems.map(({ features, actions }) => ({
    features,
    rows: Int32Array.from({ length: actions }, (_, action) => action),
  }))
  const { tables, ...standard } = standardizeParts(everyAction, inputs)
  return { problems, inputs, standard, tables }
}

function checkProblems(problems: readonly ChoiceProblem[], inputs: number): void {
  if (problems.length === 0)
    throw new QuerentError('bad-config', 'There are no queries to train with', { remedy: 'Give some.' })
  const qids = new Set<string>()
  for (const { qid, actions, features } of problems) {
    const faults: readonly (readonly [isSo: boolean, words: string])[] = [
      [qids.has(qid), 'is there twice'],
      [actions < 1, 'has no action'],
      [
        features.length !== actions * inputs,
        `has ${features.length} features, and not ${actions} actions × ${inputs} inputs`,
      ],
    ]
    const fault = faults.find(([isSo]) => isSo)
    if (fault !== undefined) throw new QuerentError('bad-config', `The query "${qid}" ${fault[1]}`)
    qids.add(qid)
  }
}

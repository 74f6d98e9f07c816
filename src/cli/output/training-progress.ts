/** Progress of a training: a bar per phase, and the reward of the decision by epoch. */
import type { ChoiceEpoch } from '../../../policies/local/training/choice-epoch.ts'
import type { DecisionProgress } from '../../../policies/local/training/decision-training.ts'
import type { IndexTrainingProgress } from '../../../policies/local/training/train-on-indexes.ts'
import { showProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'

const tasks: Readonly<Record<IndexTrainingProgress['phase'], string>> = {
  documents: 'counting words',
  queries: 'searching the queries',
  'second stage': 'learning second stages',
  candidates: 'searching the candidates',
  decision: 'learning to decide',
  gate: 'learning what is worth a request',
  're-ranking': 'learning to re-rank',
}

export interface TrainingDisplay {
  update(progress: IndexTrainingProgress): void
  /** Removes the bar. */
  stop(): void
}

export function showTraining(terminal: Terminal, now?: () => number): TrainingDisplay {
  const progress = showProgress(terminal, now)
  return {
    stop: progress.stop,
    update(step) {
      const note = step.phase === 'decision' ? describeEpoch(step) : undefined
      progress.update(tasks[step.phase], step.done, step.total, note)
    },
  }
}

function describeEpoch({
  epoch: { stage, meanReward, expectedSize },
  policy,
  policies,
}: Pick<DecisionProgress, 'epoch' | 'policy' | 'policies'>): string {
  const size = expectedSize === undefined ? '' : `, ${expectedSize.toFixed(1)} sub-queries`
  return `policy ${policy} of ${policies}, stage ${stage}, reward ${meanReward.toFixed(3)}${size}`
}

const bars = '▁▂▃▄▅▆▇█'

/** Mean reward and number of sub-queries in Stage II, from its first epoch to its last. */
export function describeCurve(curve: readonly ChoiceEpoch[]): string[] {
  const epochs = curve.filter(({ stage }) => stage === 2)
  if (epochs.length === 0) return []
  const line = (name: string, values: readonly number[], digits: number): string => {
    const [first, last] = [values[0]!, values.at(-1)!].map((value) => value.toFixed(digits))
    return `${name}  ${sparkline(values)}  ${first} → ${last}`
  }
  const rewards = epochs.map(({ meanReward }) => meanReward)
  const sizes = epochs.map(({ expectedSize = 0 }) => expectedSize)
  return [line('mean reward ', rewards, 3), line('sub-queries ', sizes, 2)]
}

/** The values as a row of bars, from the lowest to the highest. */
function sparkline(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  return values
    .map((value) => bars[high === low ? 0 : Math.round(((value - low) / (high - low)) * (bars.length - 1))])
    .join('')
}

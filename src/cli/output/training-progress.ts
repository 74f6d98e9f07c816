/** Progress of a training: a bar per phase. */
import type { IndexTrainingProgress } from '../../../policies/local/training/train-on-indexes.ts'
import { showProgress } from './progress.ts'
import type { Terminal } from './terminal.ts'

const tasks: Readonly<Record<IndexTrainingProgress['phase'], string>> = {
  documents: 'counting words',
  queries: 'searching the queries',
  'second stage': 'learning second stages',
  plans: 'searching the plans',
  gains: 'learning what plans gain',
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
    update: ({ phase, done, total }) => progress.update(tasks[phase], done, total),
  }
}

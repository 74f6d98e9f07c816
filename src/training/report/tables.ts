import type { Experiments } from '../experiments/experiments.ts'
export const trainingTables = (experiments: Experiments): string => JSON.stringify(experiments)

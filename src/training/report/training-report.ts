import type { Experiments } from '../experiments/experiments.ts'
export const trainingReport = async (experiments: Experiments): Promise<string> => JSON.stringify(experiments)

/** Why a search passed through; `undefined` if it did not. */
import type { SearchReport } from '../../src/observe.ts'

export const passedIn = ({ outcome }: SearchReport): string | undefined =>
  outcome?.kind === 'passed through' ? outcome.reason : undefined

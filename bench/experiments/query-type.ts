/** What kind of question a query is, by features that need no judgment. */
import { contextFeatures } from '../../policies/local/query-context.ts'
import type { PreparedExample } from '../../policies/local/training/action-space.ts'

/** Type → what makes a query one; the first that fits counts. */
export const queryTypes = {
  conversation: 'follows other turns',
  comparison: 'has a word that compares, and two names',
  names: 'has a name',
  other: 'all others',
} as const

export type QueryType = keyof typeof queryTypes

export function queryTypeOf({ example, stage }: Pick<PreparedExample, 'example' | 'stage'>): QueryType {
  const compares = stage.query[contextFeatures.indexOf('query: compares')]! > 0
  if ((example.query.history ?? []).length > 0) return 'conversation'
  if (compares && stage.names.length >= 2) return 'comparison'
  return stage.names.length > 0 ? 'names' : 'other'
}

/** The clauses of conditions on fields. */
import type { Condition } from '../../../src/types.ts'

/** Query clauses that only match documents that meet all conditions. */
export const clausesWhere = (where: readonly Condition[] = []): object[] =>
  where.flatMap(({ field, is, not, ...range }) => [
    ...(is === undefined ? [] : [{ terms: { [field]: is } }]),
    ...(not === undefined ? [] : [{ bool: { must_not: [{ terms: { [field]: not } }] } }]),
    ...(Object.values(range).some((bound) => bound !== undefined) ? [{ range: { [field]: range } }] : []),
  ])

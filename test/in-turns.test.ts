import { expect, it } from 'vitest'
import { inTurns } from '../src/in-turns.ts'

const listOf = (docids: string) => Array.from(docids, (docid) => ({ docid }))

it.each([
  [['abc', 'de'], 'adbec'],
  [['ab', 'ca'], 'acb'],
  [['', 'a'], 'a'],
  [[], ''],
] as const)('%j → %s', (lists, expected) =>
  expect(
    inTurns(lists.map(listOf))
      .map(({ docid }) => docid)
      .join(''),
  ).toBe(expected),
)

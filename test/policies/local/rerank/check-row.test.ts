import { expect, it } from 'vitest'
import { checkRow } from '../../../../policies/local/rerank/check-row.ts'

it('takes as many values as there are names, and tells of which list there are others', () => {
  checkRow('colours', ['red', 'blue'], 2)
  expect(() => checkRow('colours', ['red', 'blue'], 1)).toThrow(
    'colours has 2 names, and 1 values were written',
  )
  expect(() => checkRow('colours', ['red', 'blue'], 3)).toThrow('3 values')
})

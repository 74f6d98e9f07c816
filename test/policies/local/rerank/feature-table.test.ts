import { expect, it } from 'vitest'
import { checkRow } from '../../../../policies/local/rerank/feature-table.ts'

it('takes as many values as there are names, and tells of which list there are others', () => {
  checkRow('colors', ['red', 'blue'], 2)
  expect(() => checkRow('colors', ['red', 'blue'], 1)).toThrow(
    'colors has 2 names, and 1 values were written',
  )
  expect(() => checkRow('colors', ['red', 'blue'], 3)).toThrow('3 values')
})

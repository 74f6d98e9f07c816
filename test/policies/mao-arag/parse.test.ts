import { describe, expect, it } from 'vitest'
import { parseWorkflow } from '../../../policies/mao-arag/parse.ts'

describe('workflows', () => {
  const turns = ['question', 'sub-question', 'summary'] as const

  it.each([
    ['AG', ['question', 'sub-question']],
    ['RA, AG', ['question', 'sub-question']],
    ['qr,ra , ag', ['question', 'sub-question']],
    ['RA, DS, AG', ['question', 'sub-question']],
    ['QR, RA, DS, AG', ['question', 'sub-question']],
    ['QR, AG', ['question', 'sub-question']],
    ['QDS', ['question']],
    ['QDP', ['question']],
    ['AS', ['summary']],
    ['QR, DS, AG, AS', []],
    ['DS, AG', []],
    ['RA', []],
    ['AG, RA', []],
    ['RA, RA, AG', []],
    ['RA, AG, XX', []],
    ['RA AG', []],
    ['R, AG', ['question', 'sub-question']],
    ['Workflow: QR, RA and AG', ['question', 'sub-question']],
    ['QR → RA → DS → AG', ['question', 'sub-question']],
    ['RA, and AG', ['question', 'sub-question']],
    ['RA, AG and then some', []],
    ['toString', []],
    ['', []],
  ])('%s is one for %j', (answer, allowed) =>
    expect(turns.filter((turn) => parseWorkflow(answer, turn) !== undefined)).toEqual(allowed),
  )

  it('are read in their order', () =>
    expect(parseWorkflow('ra, ds, ag', 'question')).toEqual(['RA', 'DS', 'AG']))
})

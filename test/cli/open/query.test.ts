import { describe, expect, it } from 'vitest'
import { runToEnd } from '../../support/run-to-end.ts'

describe.each(['search', 'explain'])('an empty query of %s', (command) => {
  it.each([
    ['', ''],
    ['  \t', ''],
    ['-', ' \n'],
  ])('is refused before the index is opened: %j', async (typed, stdin) => {
    const { status, errors } = await runToEnd([command, typed, '--index', '/nowhere', '--policy', 'none'], {
      stdin,
    })
    expect(status).toBe(2)
    expect(errors).toContain(typed === '-' ? 'Standard input has no query' : 'The query is empty')
    expect(errors).toContain('Give at least one word')
  })
})

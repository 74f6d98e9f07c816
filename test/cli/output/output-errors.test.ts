import { describe, expect, it } from 'vitest'
import { serveUntilInterrupted } from '../../../src/cli/open/serving.ts'
import { onOutputErrors } from '../../../src/cli/output/output-errors.ts'
import { testTerminal } from '../../support/test-terminal.ts'

/** A terminal with `fail`, which does what a failed write to standard output does, and the statuses that it ended with. */
function world() {
  const interrupt = new AbortController()
  const terminal = testTerminal({ signal: interrupt.signal })
  const statuses: number[] = []
  const onlyLogs = onOutputErrors(terminal, (status) => void statuses.push(status))
  const fail = (code: string) => terminal.stdout.emit('error', Object.assign(new Error('write'), { code }))
  return { terminal: { ...terminal, onlyLogs }, statuses, fail, interrupt }
}

describe('a command whose output cannot be written', () => {
  it('says why', () => {
    const { terminal, statuses, fail } = world()
    fail('ENOSPC')
    expect(statuses).toEqual([1])
    expect(terminal.errors()).toBe('querent: standard output cannot be written: ENOSPC\n')
  })

  it('is done where its reader has seen enough', () => {
    const { terminal, statuses, fail } = world()
    fail('EPIPE')
    expect([statuses, terminal.errors()]).toEqual([[0], ''])
  })
})

it.each(['EPIPE', 'ENOSPC'])(
  'a server whose log cannot be written (%s) serves, and says so once',
  async (code) => {
    const { terminal, statuses, fail, interrupt } = world()
    const events: string[] = []
    const server = { close: async () => void events.push('closed') }
    const served = serveUntilInterrupted(server, [], {}, terminal)
    fail(code)
    fail(code)
    expect([statuses, events]).toEqual([[], []])
    expect(terminal.errors()).toBe(`WARNING: the log cannot be written to standard output: ${code}.\n`)
    interrupt.abort()
    await served
    expect(events).toEqual(['closed'])
  },
)

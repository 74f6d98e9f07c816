import { describe, expect, it, vi } from 'vitest'
import { print, say } from '../../../src/cli/output/terminal.ts'
import { testTerminal } from '../../support/test-terminal.ts'

/** A terminal of so many columns, and what stands on it. */
function shown(lines: readonly string[], columns = 40): string[] {
  const terminal = testTerminal()
  for (const stream of [terminal.stdout, terminal.stderr]) Object.assign(stream, { isTTY: true, columns })
  for (const line of lines) {
    print(terminal, line)
    say(terminal, line)
  }
  expect(terminal.output()).toBe(terminal.errors())
  return terminal.output().trimEnd().split('\n')
}

describe('a terminal', () => {
  it('gets lines that break at words, below their own beginning', () => {
    vi.stubEnv('NO_COLOR', '1')
    expect(shown(['  3. A title that is longer than this terminal is wide', '  two words'])).toEqual([
      '  3. A title that is longer than this',
      '     terminal is wide',
      '  two words',
    ])
    vi.unstubAllEnvs()
  })

  it('gets green for better, yellow for worse, and dim scores', () => {
    vi.stubEnv('FORCE_COLOR', '1')
    expect(shown(['  1. Ulysses  ▲ 6 from 7  -0.2588', '  2. Aida  ▼ 1 from 1', 'ndcg  0.1250'])).toEqual([
      '  1. Ulysses  \u001b[32m▲ 6 from 7\u001b[39m  \u001b[2m-0.2588\u001b[22m',
      '  2. Aida  \u001b[33m▼ 1 from 1\u001b[39m',
      'ndcg  0.1250',
    ])
    vi.unstubAllEnvs()
  })

  it('obeys nothing that a document says', () => {
    vi.stubEnv('NO_COLOR', '1')
    expect(shown(['red \u001b[31m'])).toEqual(['red \ufffd[31m'])
    vi.unstubAllEnvs()
  })
})

it('a pipe gets each line as it is, however long', () => {
  const terminal = testTerminal()
  const line = `  1. ${'word '.repeat(60)} ▲ 6 from 7  0.1234`
  print(terminal, line)
  expect(terminal.output()).toBe(`${line}\n`)
})

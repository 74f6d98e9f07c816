import { describe, expect, it } from 'vitest'
import { showProgress } from '../../../src/cli/output/progress.ts'
import { testTerminal } from '../../support/test-terminal.ts'

describe('showProgress', () => {
  function setUp({ isTTY }: { isTTY: boolean }) {
    let ms = 0
    const terminal = testTerminal({ isTTY })
    const progress = showProgress(terminal, () => ms)
    const wait = (passed: number) => {
      ms += passed
    }
    return { terminal, progress, wait }
  }

  it('says nothing about what is over within a second', () => {
    const { terminal, progress, wait } = setUp({ isTTY: true })
    for (let done = 0; done < 10; done++) {
      progress.update('embedding', done, 10)
      wait(90)
    }
    progress.stop()
    expect(terminal.errors()).toBe('')
  })

  it('says a line every ten seconds where nobody looks at a screen', () => {
    const { terminal, progress, wait } = setUp({ isTTY: false })
    for (let done = 0; done <= 250; done += 10) {
      progress.update('embedding', done, 1000)
      wait(1000)
    }
    progress.stop()
    // 10 a second: after 10 s 900 are left, which is 90 s; after 20 s 800.
    expect(terminal.errors()).toBe(
      'embedding: 100 of 1000, 10/s, 1 min 30 s left\nembedding: 200 of 1000, 10/s, 1 min 20 s left\n',
    )
  })

  it('takes the rate of the last ten seconds, not that of what was done already', () => {
    const { terminal, progress, wait } = setUp({ isTTY: false })
    progress.update('embedding', 0, 1000)
    wait(1000)
    for (let done = 500; done <= 524; done++) {
      progress.update('embedding', done, 1000)
      wait(1000)
    }
    expect(terminal.errors().split('\n')[1]).toBe('embedding: 519 of 1000, 1.0/s, 8 min 1 s left')
  })

  it('draws a bar with rate and remaining time on a screen, and takes it away', () => {
    const { terminal, progress, wait } = setUp({ isTTY: true })
    progress.update('embedding', 0, 100)
    wait(2000)
    progress.update('embedding', 50, 100)
    progress.stop()
    expect(terminal.errors()).toContain('50%  50 of 100, 25/s, 2.0 s left')
  })

  it('counts without an end where the total is unknown', () => {
    const { terminal, progress, wait } = setUp({ isTTY: false })
    progress.update('reading', 0)
    wait(10_000)
    progress.update('reading', 500)
    expect(terminal.errors()).toBe('reading: 500, 50/s\n')
  })
})

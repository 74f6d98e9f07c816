import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runWorkers } from '../../src/runtime/workers.ts'

describe('runWorkers', () => {
  it('runs as many as it is told, and ends with the last', async () => {
    const waiting = Array.from({ length: 10 }, (_, item) => item).values()
    const done: number[] = []
    let most = 0
    let now = 0
    await runWorkers(3, undefined, async () => {
      most = Math.max(most, ++now)
      for (const item of waiting) {
        await Promise.resolve()
        done.push(item)
      }
      now--
    })
    expect(done.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect([most, now]).toEqual([3, 0])
  })

  it('gives a signal to which any number may listen without a warning', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error): void => void warnings.push(name)
    process.on('warning', note)
    onTestFinished(() => void process.off('warning', note))
    await runWorkers(11, undefined, async (signal) => signal.addEventListener('abort', () => undefined))
    await setImmediate()
    expect(warnings).toEqual([])
  })

  it('ends all when one ends with an error, waits for them, and throws that error', async () => {
    const failure = new Error('the disk is full')
    let started = 0
    const ends: string[] = []
    const run = runWorkers(3, undefined, async (signal) => {
      if (++started === 3) throw failure
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      ends.push('stopped')
      throw new Error('aborted')
    })
    await expect(run).rejects.toBe(failure)
    expect(ends).toEqual(['stopped', 'stopped'])
  })

  it("ends with the caller's signal", async () => {
    const controller = new AbortController()
    const run = runWorkers(2, controller.signal, async (signal) => {
      controller.abort(new Error('Ctrl-C'))
      signal.throwIfAborted()
    })
    await expect(run).rejects.toThrow('Ctrl-C')
  })
})

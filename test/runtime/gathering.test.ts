/** Questions of one turn go together, and end together only if nobody wants them. */
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { gathering } from '../../src/runtime/gathering.ts'

function recording() {
  const batches: (readonly string[])[] = []
  const signals: AbortSignal[] = []
  const ask = gathering(async (questions: readonly string[], signal) => {
    batches.push(questions)
    signals.push(signal)
    return questions.map((question) => question.toUpperCase())
  })
  return { ask, batches, signals }
}

const unaborted = new AbortController().signal

describe('gathering', () => {
  it('asks what comes in one turn together, and what comes later apart', async () => {
    const { ask, batches } = recording()
    expect(await Promise.all(['a', 'b'].map((question) => ask(question, unaborted)))).toEqual(['A', 'B'])
    expect(await ask('c', unaborted)).toBe('C')
    expect(batches).toEqual([['a', 'b'], ['c']])
  })

  it('goes on while one of them is wanted, and ends with the last', async () => {
    const { ask, signals } = recording()
    const [one, other] = [new AbortController(), new AbortController()]
    const answers = [ask('a', one.signal), ask('b', other.signal)]
    one.abort(new Error('left'))
    expect(await Promise.all(answers)).toEqual(['A', 'B'])
    expect(signals[0]?.aborted).toBe(false)

    const all = [new AbortController(), new AbortController()]
    const unwanted = all.map(({ signal }) => ask('c', signal))
    for (const controller of all) controller.abort(new Error('left'))
    for (const answer of unwanted) await expect(answer).rejects.toThrow('left')
    expect(signals).toHaveLength(1)
  })

  it('listens once to a signal that many share', async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const ask = gathering(async (questions: readonly string[]) => {
      listeners = getEventListeners(signal, 'abort').length
      return questions
    })
    await Promise.all(['a', 'b', 'c'].map((question) => ask(question, signal)))
    expect(listeners).toBe(1)
    expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  })

  it('fails all of a batch with the error of the batch, and none of the next', async () => {
    let asked = 0
    const ask = gathering(async (questions: readonly string[]) => {
      if (++asked === 1) throw new Error('down')
      return questions
    })
    const answers = ['a', 'b'].map((question) => ask(question, unaborted))
    for (const answer of answers) await expect(answer).rejects.toThrow('down')
    expect(await ask('c', unaborted)).toBe('c')
  })
})

/** When the searches for the log are made, and which are left out. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openShadow } from '../../../../../adapters/apps/drop-in/run/shadow.ts'
import { answered, searchFor } from '../../../../support/fake-engine.ts'
import { manualClock, settled } from '../../../../support/manual-clock.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

const engine = {
  send: async () => answered({}),
  msearch: async () => [],
  fieldCaps: async () => answered({}),
}

async function shadowOf() {
  const clock = manualClock()
  const log = join(await temporaryFolder(), 'shadow.jsonl')
  const shadow = await openShadow({ log }, clock)
  const made: string[] = []
  /** Takes 10 ms, or for ever. */
  const begin = (text: string, ms = 10): void =>
    shadow.begin({
      calls: [searchFor(text)],
      ...{ engine, engineMs: 1, timeout: 5000 },
      make: (_, signal) =>
        new Promise((resolve, reject) => {
          made.push(text)
          clock.after(ms, () => resolve({ reason: 'it is a test' }))
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
  const outcomes = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).outcome)
  return { clock, shadow, made, begin, outcomes }
}

it('is made at once, and the next one after nine times as long', async () => {
  const { clock, made, begin } = await shadowOf()
  begin('a')
  begin('b')
  await clock.advance(10 + 89)
  expect(made).toEqual(['a'])
  await clock.advance(1)
  expect(made).toEqual(['a', 'b'])
})

it('rests no longer than a second', async () => {
  const { clock, made, begin } = await shadowOf()
  begin('a', 4000)
  begin('b')
  await clock.advance(4999)
  expect(made).toEqual(['a'])
  await clock.advance(1)
  expect(made).toEqual(['a', 'b'])
})

it('waits with others, twenty in all, and one more is left out', async () => {
  const { shadow, begin, outcomes, clock } = await shadowOf()
  for (let search = 0; search < 22; search++) begin(`${search}`)
  await clock.advance(20_000)
  await shadow.close()
  // One under way, twenty that wait, and one that does not.
  expect(outcomes()).toEqual(['shed', ...Array(21).fill('passed through')])
})

it('ends at its deadline, and with the log', async () => {
  const { shadow, begin, outcomes, clock } = await shadowOf()
  begin('late', 9000)
  await clock.advance(5000 + 1000)
  begin('under way', 9000)
  begin('waiting')
  await settled()
  await shadow.close()
  expect(outcomes()).toEqual(['failed', 'failed'])
})

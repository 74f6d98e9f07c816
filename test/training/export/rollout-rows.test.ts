import { describe, expect, it } from 'vitest'
import { rolloutRows } from '../../../src/training/export/rollout-rows.ts'
import type { RecordedNode, RolloutRecord } from '../../../src/training/rollouts/record.ts'
import { expectError } from '../../support/expect-error.ts'

const messages = [{ role: 'user' as const, content: 'who' }]
const node = (id: number, parent: number, more: Partial<RecordedNode>): RecordedNode => ({
  id,
  parent,
  prompt: more.agent ?? 'answer',
  messages,
  completion: `completion ${id}`,
  ...more,
})
/** A route that is given and one that is sampled, each with two choices. Answers are nobody's. */
const record: RolloutRecord = {
  version: 1,
  qid: 'q1',
  policy: 'c3po',
  settings: {},
  nodes: [
    node(1, 0, { agent: 'route', forced: true, value: 0.5, advantage: -1 }),
    node(2, 1, { agent: 'filter', value: 1, advantage: 0.5, tokenIds: [7, 8], logprobs: [-0.1, -0.2] }),
    node(3, 2, { reward: 1 }),
    node(4, 1, { agent: 'filter', value: 0, advantage: -0.5, reward: 0, failed: 'Invalid Format' }),
    node(5, 0, { agent: 'route', value: 0.75, advantage: 1 }),
    node(6, 5, { agent: 'filter', value: 1, advantage: 0.5 }),
    node(7, 6, { reward: 1 }),
    node(8, 5, { agent: 'filter', value: 0.5, advantage: -0.25 }),
    node(9, 8, { reward: 0.5 }),
    node(10, 8, { agent: 'filter', pruned: true }),
  ],
}
const completionsOf = (rows: readonly object[]): unknown[] =>
  rows.map((row) => (Reflect.get(row, 'messages') as readonly { readonly content: string }[]).at(-1)!.content)

describe('sft', () => {
  it('imitates the sampled completions of agents on the way to a good answer', () => {
    const rows = rolloutRows('sft', record)
    expect(completionsOf(rows)).toEqual(['completion 2', 'completion 5', 'completion 6'])
    expect(rows[0]).toEqual({ messages: [...messages, { role: 'assistant', content: 'completion 2' }] })
  })

  it('with those that were given, of fewer paths, from a lower reward, of some agents', () => {
    expect(completionsOf(rolloutRows('sft', record, { forced: true, maxPaths: 1 }))).toEqual([
      'completion 1',
      'completion 2',
    ])
    expect(completionsOf(rolloutRows('sft', record, { threshold: 0.5, agents: ['route'] }))).toEqual([
      'completion 5',
    ])
    expect(completionsOf(rolloutRows('sft', record, { threshold: 0.5, agents: ['filter'] }))).toEqual([
      'completion 2',
      'completion 6',
      'completion 8',
    ])
  })

  it('never what the policy could not use', () => {
    const invalid = {
      ...record,
      nodes: [node(1, 0, { agent: 'route', invalid: 'no lines', reward: 1, value: 1 })],
    }
    expect(rolloutRows('sft', invalid)).toEqual([])
  })

  it('takes the paths with the highest rewards', () => {
    const rewards = {
      ...record,
      nodes: [0.6, 1, 0.8].map((reward, at) => node(at + 1, 0, { agent: 'a', reward })),
    }
    expect(completionsOf(rolloutRows('sft', rewards, { threshold: 0.5, maxPaths: 2 }))).toEqual([
      'completion 2',
      'completion 3',
    ])
  })
})

it('preferences: pairs of one state that differ enough', () => {
  const pair = (chosen: number, rejected: number) => ({
    prompt: messages,
    chosen: [{ role: 'assistant', content: `completion ${chosen}` }],
    rejected: [{ role: 'assistant', content: `completion ${rejected}` }],
  })
  expect(rolloutRows('preferences', record)).toEqual([pair(2, 4), pair(6, 8)])
  expect(rolloutRows('preferences', record, { margin: 0.25 })).toEqual([pair(2, 4), pair(5, 1), pair(6, 8)])
  expect(rolloutRows('preferences', record, { agents: ['route'] })).toEqual([])
})

describe('preferences', () => {
  it.each([0.5, 0])('never choose what the policy could not use, with a margin of %d', (margin) => {
    const nodes = [
      node(1, 0, { agent: 'rewrite', invalid: 'cut off', value: 1 }),
      node(2, 0, { agent: 'rewrite', value: 0.5 }),
      node(3, 0, { agent: 'rewrite', invalid: 'empty', value: 0 }),
    ]
    expect(rolloutRows('preferences', { ...record, nodes }, { margin })).toEqual([
      {
        prompt: messages,
        chosen: [{ role: 'assistant', content: 'completion 2' }],
        rejected: [{ role: 'assistant', content: 'completion 3' }],
      },
    ])
  })

  it('have no pairs of equals, whatever the margin', () => {
    const nodes = [1, 2].map((id) => node(id, 0, { agent: 'rewrite', value: 0.5 }))
    expect(rolloutRows('preferences', { ...record, nodes }, { margin: 0 })).toEqual([])
  })
})

describe('steps: at most as many rows of balanced agents as of all others', () => {
  const many = (qid: string, decisions: number): RolloutRecord => ({
    ...record,
    qid,
    nodes: Array.from({ length: decisions + 2 }, (_, at) =>
      node(at + 1, 0, {
        agent: at < decisions ? 'decide' : at === decisions ? 'write' : 'choose',
        value: at,
      }),
    ),
  })
  const agentsOf = (rows: readonly object[]): unknown[] => rows.map((row) => Reflect.get(row, 'agent'))
  const valuesOf = (rows: readonly object[]): unknown[] => rows.map((row) => Reflect.get(row, 'value'))

  it('in their order, the same ones each time, others for another query', () => {
    const options = { balanced: ['decide'] }
    const rows = rolloutRows('steps', many('q1', 20), options)
    expect(agentsOf(rows)).toEqual(['decide', 'decide', 'write', 'choose'])
    expect(rolloutRows('steps', many('q1', 20), options)).toEqual(rows)
    const chosen = ['q1', 'q2', 'q3', 'q4'].map((qid) =>
      JSON.stringify(valuesOf(rolloutRows('steps', many(qid, 20), options))),
    )
    expect(new Set(chosen).size).toBeGreaterThan(1)
  })

  it('of one agent alone as many as beside the others', () =>
    expect(
      agentsOf(rolloutRows('steps', many('q1', 20), { balanced: ['decide'], agents: ['decide'] })),
    ).toEqual(['decide', 'decide']))

  it('all where they are not too many', () =>
    expect(rolloutRows('steps', many('q1', 2), { balanced: ['decide'] })).toHaveLength(4))
})

it('steps: every completion of an agent that is worth something, with tokens where the server gave them', () => {
  const rows = rolloutRows('steps', record)
  expect(rows).toHaveLength(6)
  expect(rows[1]).toEqual({
    query_id: 'q1',
    agent: 'filter',
    messages,
    completion: 'completion 2',
    forced: false,
    value: 1,
    advantage: 0.5,
    tokenIds: [7, 8],
    logprobs: [-0.1, -0.2],
  })
  expect(rows[0]).toMatchObject({ agent: 'route', forced: true, advantage: -1 })
})

it('refuses another format', () =>
  expectError(() => rolloutRows('verl', record), 'bad-config', /sft, preferences, steps/))

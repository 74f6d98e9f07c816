import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  beginCurriculum,
  type Curriculum,
  type CurriculumOptions,
  nextTask,
  type Rewards,
  type Task,
} from '../../src/training/curriculum.ts'
import { expectError } from '../support/expect-error.ts'

const qids = ['q3', 'q1', 'q2', 'q4']
/** What a rollout of each query earns beside a second one that earns 0.2 more. */
const earned: Readonly<Record<string, number>> = { q1: 0, q2: 1, q3: 1.8, q4: 1.4 }

const varied = ({ qids: asked }: Task): Rewards =>
  new Map(asked.map((qid) => [qid, [earned[qid]!, earned[qid]! + 0.2]]))

/** Carries out every task and remembers them. */
function run(
  options: CurriculumOptions,
  carryOut: (task: Task) => Rewards = varied,
): { readonly end: Curriculum; readonly tasks: readonly string[] } {
  const tasks: string[] = []
  let curriculum = beginCurriculum(qids, options)
  while (curriculum.task !== undefined) {
    const { task } = curriculum
    const what =
      task.type === 'measure' ? `measure before ${task.before}` : `stage ${task.stage}.${task.epoch}`
    tasks.push(`${what}: ${task.qids.join(' ')}`)
    curriculum = nextTask(curriculum, carryOut(task), options)
  }
  return { end: curriculum, tasks }
}

const endsOf = ({ log }: Curriculum): object[] => log.filter(({ type }) => type === 'end')

it('trains Stage I with all, measures, and trains Stage II with what challenges', () => {
  const { end, tasks } = run({ stageOneEpochs: 2, stageTwoEpochs: 1 })
  expect(tasks).toEqual([
    'stage 1.1: q3 q1 q2 q4',
    'stage 1.2: q3 q1 q2 q4',
    'measure before 2: q3 q1 q2 q4',
    'stage 2.1: q1 q2 q4',
  ])
  // The means are 0.1, 1.1, 1.9 and 1.5; 5/3 is the threshold.
  expect(end.log).toEqual([
    { type: 'epoch', stage: 1, epoch: 1, meanReward: expect.closeTo(1.15), groups: 4, zeroVariance: 0 },
    { type: 'epoch', stage: 1, epoch: 2, meanReward: expect.closeTo(1.15), groups: 4, zeroVariance: 0 },
    { type: 'end', stage: 1, epochs: 2, reason: 'epochs' },
    {
      type: 'filter',
      before: 2,
      rule: 'challenge-zone',
      kept: [
        { qid: 'q1', tau: expect.closeTo(0.1) },
        { qid: 'q2', tau: expect.closeTo(1.1) },
        { qid: 'q4', tau: expect.closeTo(1.5) },
      ],
      dropped: [{ qid: 'q3', tau: expect.closeTo(1.9) }],
    },
    { type: 'epoch', stage: 2, epoch: 1, meanReward: expect.closeTo(0.9), groups: 3, zeroVariance: 0 },
    { type: 'end', stage: 2, epochs: 1, reason: 'epochs' },
  ])
})

describe('filters', () => {
  it('before Stage I keep the hardest share, where asked to (A.3)', () => {
    const { tasks } = run({ retain: 0.5, stageTwoEpochs: 1 })
    expect(tasks).toEqual([
      'measure before 1: q3 q1 q2 q4',
      'stage 1.1: q1 q2',
      'measure before 2: q1 q2',
      'stage 2.1: q1 q2',
    ])
  })

  it('before Stage I decide between equals by qid, and keep one at least', () => {
    const equal = ({ qids: asked }: Task): Rewards => new Map(asked.map((qid) => [qid, [1, 2]]))
    expect(run({ retain: 0.01, stageTwoEpochs: 0 }, equal).tasks[1]).toBe('stage 1.1: q1')
  })

  it('have two bounds', () => {
    const { tasks } = run({ tauMin: 1, tauMax: 1.2, stageTwoEpochs: 1 })
    expect(tasks.at(-1)).toBe('stage 2.1: q2')
  })

  it('may be left out', () => {
    const { tasks } = run({ filter: false, stageTwoEpochs: 1 })
    expect(tasks).toEqual(['stage 1.1: q3 q1 q2 q4', 'stage 2.1: q3 q1 q2 q4'])
  })

  it('that keep nothing end the curriculum', () => {
    const { end } = run({ tauMax: -1 })
    expect(endsOf(end).at(-1)).toEqual({ type: 'end', stage: 2, epochs: 0, reason: 'no-queries' })
  })
})

describe('stages end early', () => {
  /** The first `certain` queries have two equal rewards. */
  const certainOf = (certain: number) => (task: Task) =>
    new Map(task.qids.map((qid, index) => [qid, index < certain ? [1, 1] : [1, 1.1]]))

  it('Stage I when more than 60 % of the groups have no variance', () => {
    expect(endsOf(run({ stageOneEpochs: 5 }, certainOf(3)).end)[0]).toEqual({
      type: 'end',
      stage: 1,
      epochs: 1,
      reason: 'too-certain',
    })
    expect(endsOf(run({ stageOneEpochs: 5 }, certainOf(2)).end)[0]).toMatchObject({
      epochs: 5,
      reason: 'epochs',
    })
    expect(endsOf(run({ stageOneEpochs: 5, maxZeroVariance: 1 }, certainOf(3)).end)[0]).toMatchObject({
      reason: 'epochs',
    })
  })

  it('either when no group has any', () => {
    const { end } = run({ stageOneEpochs: 5, stageTwoEpochs: 5 }, certainOf(4))
    expect(endsOf(end)).toEqual([
      { type: 'end', stage: 1, epochs: 1, reason: 'no-variance' },
      { type: 'end', stage: 2, epochs: 1, reason: 'no-variance' },
    ])
  })

  it('Stage II not for being certain', () => {
    const { end } = run({ stageTwoEpochs: 3 }, certainOf(3))
    expect(endsOf(end)[1]).toEqual({ type: 'end', stage: 2, epochs: 3, reason: 'epochs' })
  })
})

it('leaves out a stage of no epochs', () => {
  expect(run({ stageOneEpochs: 0, stageTwoEpochs: 1, filter: false }).tasks).toEqual([
    'stage 2.1: q3 q1 q2 q4',
  ])
  expect(run({ stageTwoEpochs: 0 }).tasks).toEqual(['stage 1.1: q3 q1 q2 q4'])
})

it('for all rewards ends in time, loses no query without saying so, and goes on from plain JSON', () => {
  const anyOptions = fc.record({
    stageOneEpochs: fc.integer({ min: 0, max: 3 }),
    stageTwoEpochs: fc.integer({ min: 0, max: 3 }),
    retain: fc.constantFrom(0.3, 0.5, 1),
    tauMin: fc.constantFrom(0, 0.5),
    tauMax: fc.constantFrom(1, 1.5),
    maxZeroVariance: fc.constantFrom(0, 0.6, 1),
    filter: fc.boolean(),
  })
  const anyGroup = fc.array(fc.constantFrom(-0.1, 0, 1, 2), { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(anyOptions, fc.array(anyGroup, { minLength: 1, maxLength: 8 }), (options, groups) => {
      let curriculum = beginCurriculum(qids, options)
      for (let step = 0; curriculum.task !== undefined; step++) {
        expect(step).toBeLessThan(2 + options.stageOneEpochs + options.stageTwoEpochs)
        const asked = curriculum.task.qids
        const rewards: Rewards = new Map(
          asked.map((qid, index) => [qid, groups[(step + index) % groups.length]!]),
        )
        const before = JSON.stringify(curriculum)
        const after = nextTask(curriculum, rewards, options)
        expect(nextTask(JSON.parse(before), rewards, options)).toEqual(after)
        expect(JSON.stringify(curriculum)).toBe(before)
        expect(after.log.slice(0, curriculum.log.length)).toEqual(curriculum.log)
        const added = after.log.slice(curriculum.log.length)
        const filter = added.find((decision) => decision.type === 'filter')
        const kept = filter?.kept.map(({ qid }) => qid) ?? asked
        const dropped = filter?.dropped.map(({ qid }) => qid) ?? []
        expect([...kept, ...dropped].sort()).toEqual([...asked].sort())
        if (after.task !== undefined) expect(after.task.qids).toEqual(kept)
        curriculum = after
      }
      expect(endsOf(curriculum)).toMatchObject([{ stage: 1 }, { stage: 2 }])
    }),
  )
})

it('refuses options out of range and rewards that lack a query', () => {
  for (const options of [
    { retain: 0 },
    { stageOneEpochs: -1 },
    { stageTwoEpochs: Number.NaN },
    { stageOneEpochs: 1.5 },
    { stageTwoEpochs: Number.POSITIVE_INFINITY },
    { tauMin: 1.7 },
    { maxZeroVariance: 2 },
  ])
    expectError(() => beginCurriculum(qids, options), 'bad-config', Object.keys(options)[0])
  expectError(() => nextTask(beginCurriculum(qids), new Map([['q3', [1]]])), 'bad-config', '"q1"')
})

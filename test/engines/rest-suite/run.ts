/** One test of the suite, from its setup to its teardown, and how it ended. */
import { isObject, listOf } from '../../../adapters/apps/drop-in/parse/json.ts'
import { assertions } from './assertions.ts'
import { call, type World } from './call.ts'
import type { Answer } from './client.ts'
import { checkCall } from './expected.ts'
import { printed } from './pattern.ts'
import { whySkipped } from './skip.ts'
import { isStashed, type Stash, stashedValue, unstashed, valueAt } from './stash.ts'
import type { Step, SuiteTest } from './suite.ts'

export interface Ended {
  readonly end: 'passed' | 'skipped' | 'failed'
  /** The step that it failed at; empty otherwise. */
  readonly at: string
  /** Why it was skipped or failed; empty otherwise. */
  readonly why: string
  /** What the proxy said of its searches, one after the other: the outcome, with its reason. */
  readonly said: readonly string[]
  /** Whether the answer that it failed at was that of such a search. */
  readonly isOfOptimized: boolean
}

export async function runTest(test: SuiteTest, world: World): Promise<Ended> {
  const reason = whySkipped(test, world.version)
  if (reason !== undefined) return { end: 'skipped', at: '', why: reason, said: [], isOfOptimized: false }
  let stash: Stash = {}
  let answer: Answer | undefined
  const said: string[] = []
  let failed: Pick<Ended, 'at' | 'why' | 'isOfOptimized'> | undefined

  async function runSection(name: string, steps: readonly Step[]): Promise<void> {
    for (const [place, step] of steps.entries()) {
      try {
        await runStep(step, `${test.name} ${name} ${place}`)
      } catch (error) {
        const at = `${name} ${place}: ${step.kind} ${printed(step.value)}`.slice(0, 200)
        failed ??= {
          at,
          why: (error as Error).message,
          isOfOptimized: /^(un)?changed/.test(answer?.said ?? ''),
        }
        return
      }
    }
  }

  async function runStep({ kind, value }: Step, seed: string): Promise<void> {
    if (kind === 'skip') return
    if (kind === 'do') {
      if (!isObject(value)) throw new Error('A call is no object')
      answer = undefined
      answer = await call(world, value, stash, seed)
      if (answer?.said !== undefined) said.push(answer.said)
      if (answer !== undefined) checkCall(answer, value)
    } else if (kind === 'set') {
      for (const [path, name] of Object.entries(value as object)) stash[String(name)] = found(path)
    } else {
      const assertion = assertions[kind]
      if (assertion === undefined) throw new Error(`There is no step ${kind}`)
      const fields = isObject(value)
        ? Object.entries(value)
        : listOf(value).map((field) => [String(field), true] as const)
      for (const [field, expected] of fields) {
        const [one, other] = [found(field), unstashed(expected, stash)]
        if (!assertion(one, other)) throw new Error(`${field} is ${printed(one).slice(0, 500)}`)
      }
    }
  }

  /** A part of the last answer, or of what is remembered. A request for the head alone says yes or no. */
  function found(field: string): unknown {
    if (isStashed(field)) return stashedValue(field, stash)
    if (answer === undefined) return undefined
    if (answer.parsed !== undefined) return valueAt(answer.parsed, field, stash)
    return field === '' && answer.method === 'HEAD' ? answer.status < 400 : undefined
  }

  await runSection('setup', test.setup)
  stash = {}
  if (failed === undefined) await runSection('step', test.steps)
  await runSection('teardown', test.teardown)
  return {
    end: failed === undefined ? 'passed' : 'failed',
    at: '',
    why: '',
    isOfOptimized: false,
    ...failed,
    said,
  }
}

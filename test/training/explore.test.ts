import { describe, expect, it } from 'vitest'
import { acqo } from '../../policies/acqo/acqo.ts'
import { c3po } from '../../policies/c-3po/c-3po.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import type { Prompt } from '../../src/prompt.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { groupAdvantages } from '../../src/training/advantage.ts'
import { nodesOf } from '../../src/training/exploring/tree.ts'
import { treeAdvantages } from '../../src/training/tree-advantages.ts'
import { treeCredit } from '../../src/training/tree-credit.ts'
import { expectError } from '../support/expect-error.ts'
import { fraction, golden } from '../support/golden.ts'
import { scriptedRetriever } from '../support/scripted.ts'
import { exploring, leavesOf } from './exploring.ts'

const prompt = (name: string): Prompt<string, string> => ({
  name,
  render: (content) => [{ role: 'user', content }],
  parse(text) {
    if (text.startsWith('bad')) throw new Error('it is bad')
    return text
  },
})
const one = prompt('one')
const two = prompt('two')

/** A policy that asks as `work` says, and answers with what it got. */
const asking = (work: Policy['run'], more: Partial<Policy> = {}): Policy => ({
  name: 'asks',
  agents: ['one'],
  run: work,
  ...more,
})
const chain = asking(async (_, tools) => {
  const first = await tools.ask(one, 'begin')
  const answer = await tools.ask(two, `after ${first}`)
  return { hits: tools.fuse(await tools.original()), answer }
})

/** Gives these texts to each prompt, in turn. */
function saying(texts: Readonly<Record<string, readonly string[]>>) {
  const left = new Map(Object.entries(texts).map(([name, all]) => [name, [...all]]))
  return (name: string): string => left.get(name)!.shift()!
}

describe('a path', () => {
  it('is answered from what was chosen, and goes on with what is new', async () => {
    const { tree, calls } = await exploring(chain, saying({ one: ['a', 'b'], two: ['A', 'B'] }), {
      branch: (asked) => ({ samples: asked.prompt === 'one' ? 2 : 1 }),
      reward: ({ answer }) => answer!.length,
    })
    expect(leavesOf(tree)).toEqual(['a / A: 1', 'b / B: 1'])
    expect(calls).toEqual(['one', 'one', 'two', 'two'])
    const [a, A] = nodesOf(tree)
    expect(a).toMatchObject({
      agent: 'one',
      action: {
        prompt: 'one',
        agent: 'one',
        input: 'begin',
        depth: 0,
        times: 0,
        forced: false,
        messages: [{ role: 'user', content: 'begin' }],
      },
    })
    expect(A!.action).toMatchObject({ depth: 1, input: 'after a' })
    expect(A).not.toHaveProperty('agent')
    expect(tree).toMatchObject({ runs: 2, dropped: 0 })
  })

  it('tells the same messages apart by how often they came', async () => {
    const twice = asking(async (_, tools) => {
      const answer = `${await tools.ask(one, 'same')}${await tools.ask(one, 'same')}`
      return { hits: tools.fuse(await tools.original()), answer }
    })
    const rewards: string[] = []
    const { tree, calls } = await exploring(twice, saying({ one: ['a', 'b', 'c', 'd', 'e', 'f'] }), {
      branch: () => ({ samples: 2 }),
      reward: ({ answer }) => rewards.push(answer!),
    })
    expect(rewards).toEqual(['ac', 'ad', 'be', 'bf'])
    expect(calls).toHaveLength(6)
    expect(leavesOf(tree)).toEqual(['a / c: 1', 'a / d: 2', 'b / e: 3', 'b / f: 4'])
  })

  it('of a policy that asks nothing is one leaf', async () => {
    const { tree } = await exploring(
      asking(async (_, tools) => ({ hits: tools.fuse(await tools.original()) })),
      saying({}),
      { reward: ({ hits }) => hits.length },
    )
    expect(tree).toEqual({ reward: 1, runs: 1, dropped: 0 })
  })

  it('knows what was rewarded', async () => {
    const { tree } = await exploring(chain, saying({ one: ['a'], two: ['A'] }), {
      reward: async (_, path) => path.map(({ completion }) => completion).length,
    })
    expect(leavesOf(tree)).toEqual(['a / A: 2'])
  })
})

describe('branches', () => {
  const only = asking(async (_, tools) => {
    await tools.ask(one, 'begin')
    return { hits: tools.fuse(await tools.original()) }
  })

  it('are forced completions, then samples; equal ones are one', async () => {
    const { tree, calls } = await exploring(only, saying({ one: ['a', 'f', 'a', 'b'] }), {
      branch: () => ({ forced: ['f', 'g'], samples: 4 }),
    })
    expect(calls).toHaveLength(4)
    expect([...nodesOf(tree)].map(({ action }) => [action.completion, action.forced])).toEqual([
      ['f', true],
      ['g', true],
      ['a', false],
      ['b', false],
    ])
  })

  it('take no samples beside forced completions unless they are wanted', async () => {
    const { tree, calls } = await exploring(only, saying({ one: [] }), { branch: () => ({ forced: ['f'] }) })
    expect([leavesOf(tree), calls]).toEqual([['f: 0'], []])
  })

  it('take a sample that is accepted, within four tries', async () => {
    const branch = () => ({ samples: 1, accept: (text: string) => text === 'd', otherwise: 'else' })
    const found = await exploring(only, saying({ one: ['a', 'b', 'c', 'd'] }), { branch })
    expect(leavesOf(found.tree)).toEqual(['d: 0'])
    const given = await exploring(only, saying({ one: ['a', 'b', 'c', 'e'] }), { branch })
    expect(leavesOf(given.tree)).toEqual(['else: 0'])
    expect(given.calls).toHaveLength(4)
    const last = await exploring(only, saying({ one: ['a', 'b', 'c', 'e'] }), {
      branch: () => ({ accept: () => false }),
    })
    expect(leavesOf(last.tree)).toEqual(['e: 0'])
  })

  it('beyond maxRuns are dropped, and counted', async () => {
    const { tree } = await exploring(only, saying({ one: ['a', 'b', 'c', 'd', 'e'] }), {
      branch: () => ({ samples: 5 }),
      maxRuns: 2,
    })
    expect(leavesOf(tree)).toEqual(['a: 0', 'b: 0'])
    expect(tree).toMatchObject({ runs: 2, dropped: 3 })
  })
})

describe('a completion that does not parse', () => {
  const withFallback = asking(async (_, tools) => {
    const first = await tools.ask(one, 'begin').catch(() => 'nothing')
    const answer = await tools.ask(two, `after ${first}`)
    return { hits: tools.fuse(await tools.original()), answer }
  })

  it('is a failed leaf, although the policy has a fallback', async () => {
    const { tree, calls } = await exploring(withFallback, saying({ one: ['bad', 'a'], two: ['A'] }), {
      branch: (asked) => ({ samples: asked.prompt === 'one' ? 2 : 1 }),
      reward: () => 1,
      failedReward: -0.1,
    })
    expect(leavesOf(tree)).toEqual(['bad: it is bad', 'a / A: 1'])
    expect(calls).toEqual(['one', 'one', 'two'])
    const [bad] = nodesOf(tree)
    expect(bad).toMatchObject({ reward: -0.1, failed: 'it is bad' })
    expect(treeCredit(tree).get(bad!)).toBe(-0.1)
  })

  it('or is marked, and the policy falls back', async () => {
    const { tree } = await exploring(withFallback, saying({ one: ['bad'], two: ['A'] }), {
      invalid: 'falls-back',
      reward: () => 1,
    })
    expect(leavesOf(tree)).toEqual(['bad / A: 1'])
    const [bad, A] = nodesOf(tree)
    expect(bad!.action.invalid).toBe('it is bad')
    expect(A!.action).toMatchObject({ input: 'after nothing' })
  })

  it('is the same as one that the model could not finish', async () => {
    const { tree } = await exploring(withFallback, () => '', {
      complete: async () => ({ text: 'a', unusable: 'it was cut off' }),
    })
    expect(leavesOf(tree)).toEqual(['a: it was cut off'])
  })
})

describe('a run that fails otherwise', () => {
  it.each([
    ['asks', { asks: 1 }],
    ['rounds', { rounds: 1 }],
  ])('a spent budget (%s) is a failed leaf, although the policy goes on', async (_name, budget) => {
    const greedy = asking(
      async (_, tools) => {
        await tools.ask(one, 'begin')
        for (const text of ['x', 'y']) {
          await tools.ask(one, text).catch(() => {})
          await tools.retrieve([{ text }], { reason: 'more' }).catch(() => {})
        }
        return { hits: tools.fuse(await tools.original()) }
      },
      { budget },
    )
    const { tree } = await exploring(greedy, (_, [message]) => message!.content)
    expect(leavesOf(tree).every((leaf) => leaf.endsWith(': budget-exceeded'))).toBe(true)
  })

  it('a fallback is a failed leaf, but having found nothing is not', async () => {
    const broken = asking(async (_, tools) => {
      await tools.ask(one, 'begin')
      throw new TypeError('a bug')
    })
    expect(leavesOf((await exploring(broken, () => 'a')).tree)).toEqual(['a: TypeError'])
    const empty = asking(async (_, tools) => {
      await tools.ask(one, 'begin')
      return { hits: [] }
    })
    const { tree } = await exploring(empty, () => 'a', { reward: ({ trace }) => trace.fallback!.code.length })
    expect(leavesOf(tree)).toEqual(['a: 7'])
  })

  it('an error of the model, of a reward or of the search ends exploring', async () => {
    const failed = new Error('no memory')
    await expect(exploring(chain, () => Promise.reject(failed))).rejects.toBe(failed)
    const withFallback = asking(async (_, tools) => {
      await tools.ask(one, 'begin').catch(() => {})
      return { hits: tools.fuse(await tools.original()) }
    })
    await expect(exploring(withFallback, () => Promise.reject(failed))).rejects.toBe(failed)
    await expect(exploring(chain, () => 'a', { reward: () => Promise.reject(failed) })).rejects.toBe(failed)
    await expect(exploring(chain, () => 'a', { search: () => Promise.reject(failed) })).rejects.toBe(failed)
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const waiting = exploring(
      chain,
      () => {
        stop.abort(new Error('stopped'))
        return new Promise(() => {})
      },
      { signal: stop.signal },
    )
    await expect(waiting).rejects.toThrow('stopped')
  })
})

describe('a policy that chooses by itself', () => {
  it('is not deterministic', async () => {
    let runs = 0
    const random = asking(async (_, tools) => {
      await tools.ask(one, `begin ${runs++}`)
      return { hits: tools.fuse(await tools.original()) }
    })
    await expectError(
      exploring(random, saying({ one: ['a', 'b', 'c', 'd'] }), { branch: () => ({ samples: 2 }) }),
      'not-deterministic',
      '"one"',
    )
  })
})

describe('prompts at the same time', () => {
  /** Two planners, and after each a search that takes its time. */
  const planners = asking(
    async (_, tools) => {
      const planned = async (name: string): Promise<string> => {
        const plan = await tools.ask(one, name)
        await tools.retrieve([{ text: `${name} ${plan}` }], { reason: 'why' })
        return tools.ask(two, `${name} ${plan}`)
      }
      const answers = await Promise.all(['left', 'right'].map(planned))
      return { hits: tools.fuse(await tools.original()), answer: answers.join('+') }
    },
    { budget: { rounds: 2 } },
  )

  it.each(Array.from({ length: 8 }, (_, order) => order))(
    'make the same tree, whatever comes first (%i)',
    async (order) => {
      // Bits of `order` say which of the searches are slow.
      const found = scriptedRetriever({ found: { who: ['a'] } })
      const retriever: typeof found = {
        ...found,
        async retrieve(subQueries, options) {
          const bit = ['left A', 'left B', 'right A'].indexOf(subQueries[0]!.text)
          if (bit >= 0 && order & (1 << bit)) for (let turn = 0; turn < 20; turn++) await Promise.resolve()
          return found.retrieve(subQueries, options)
        },
      }
      const answers: string[] = []
      const samples = new Map<string, number>()
      const { tree } = await exploring(
        planners,
        (name, [message]) => {
          if (name === 'two') return message!.content
          const count = samples.get(message!.content) ?? 0
          samples.set(message!.content, count + 1)
          return count % 2 === 0 ? 'A' : 'B'
        },
        {
          branch: (asked) => ({ samples: asked.prompt === 'one' ? 2 : 1 }),
          reward: ({ answer }) => answers.push(answer!),
        },
        { retriever },
      )
      expect(tree.runs).toBe(4)
      expect(answers.toSorted()).toEqual([
        'left A+right A',
        'left A+right B',
        'left B+right A',
        'left B+right B',
      ])
    },
  )
})

describe('merging', () => {
  /** At each of three forks it may go aside. What it finds aside is the same every time. */
  const forks = (gains: boolean): Policy =>
    asking(
      async (_, tools) => {
        let state = ''
        for (let step = 0; step < 3; step++) {
          const thought = await tools.ask(prompt('think'), `${step} ${state}`)
          if ((await tools.ask(prompt('fork'), `${step} ${state} ${thought}`)) === 'yes')
            state = gains ? `${state}${step}` : 'x'
        }
        await tools.ask(prompt('think'), `end ${state}`)
        return { hits: tools.fuse(await tools.original()) }
      },
      { budget: { asks: 20 }, agents: ['fork'] },
    )
  const branch = ({ prompt: name }: { readonly prompt: string }) =>
    name === 'fork' ? { forced: ['no', 'yes'] } : {}
  const merge = { fork: 'fork', at: 'think' }

  it('leaves branches that find something new', async () => {
    const { tree } = await exploring(forks(true), () => 'hm', { branch, merge })
    expect(leavesOf(tree)).toHaveLength(8)
  })

  it('prunes a branch that comes to the messages of its sibling', async () => {
    const { tree } = await exploring(forks(false), () => 'hm', { branch, merge, reward: () => 1 })
    const leaves = leavesOf(tree)
    // One branch for each step at which it goes aside first, and one that never does: L + 1 = 4. Once aside, each further fork
    // prunes its second branch: L(L − 1)/2 = 3.
    expect(leaves.filter((leaf) => leaf.endsWith(': 1'))).toHaveLength(4)
    expect(leaves.filter((leaf) => leaf.endsWith(': pruned'))).toHaveLength(3)
    const pruned = [...nodesOf(tree)].filter((node) => 'pruned' in node)
    expect(pruned.map(({ action }) => action.completion)).toEqual(['yes', 'yes', 'yes'])
    for (const node of pruned) expect(treeCredit(tree).has(node)).toBe(false)
  })
})

it('leaves no timer behind', async () => {
  const open = new Set<object>()
  const clock = {
    ...systemClock,
    after(ms: number, callback: () => void) {
      const timer = {}
      open.add(timer)
      const cancel = systemClock.after(ms, () => {
        open.delete(timer)
        callback()
      })
      return () => {
        open.delete(timer)
        cancel()
      }
    },
  }
  await exploring(chain, saying({ one: ['bad', 'a'], two: ['A'] }), {
    branch: (asked) => ({ samples: asked.prompt === 'one' ? 2 : 1 }),
    search: (query, policy, signal) =>
      createOptimizer({ retrievers: [scriptedRetriever()], policy, clock }).search(query, { signal }),
  })
  expect(open.size).toBe(0)
})

describe('the papers', () => {
  it('C-3PO, eq. 5: the credits of the golden tree, from runs of the policy', async () => {
    const { credit } = golden.c3po
    const right = new Set(['a1', 'b1', 'y'])
    const keep = (number: number): string => `Thought: so. Action: [${number}]`
    const { tree } = await exploring(
      c3po({ strict: true }),
      (name, messages) => {
        const shown = messages.at(-1)!.content
        if (name === 'c3po/plan') return 'P1'
        if (name === 'c3po/filter') return keep(1)
        if (name === 'c3po/decide') return 'Thought: enough. Action: [LLM]'
        return right.has(/^Document 1.*: (\w+)$/m.exec(shown)?.[1] ?? '') ? 'right' : 'wrong'
      },
      {
        branch({ prompt: name, depth, messages }) {
          if (name === 'c3po/router')
            return { forced: ['[No Retrieval]', '[Retrieval] a', '[Retrieval] b', '[Planning]'] }
          const shown = messages.at(-1)!.content
          if (name === 'c3po/filter' && shown.includes(': a1')) return { forced: [keep(1), keep(2)] }
          if (name === 'c3po/decide' && depth === 2)
            return { forced: ['Thought: no. Action: [LLM]', 'Thought: yes. Action: [Retrieval] y'] }
          return {}
        },
        reward: ({ answer }) => (answer === 'right' ? 1 : 0),
      },
      {
        retriever: scriptedRetriever({ found: { who: ['w'], a: ['a1', 'a2'], b: ['b1'], y: ['y'] } }),
        documents: ['w', 'a1', 'a2', 'b1', 'y'].map((docid) => ({ docid, text: docid })),
      },
    )
    const credits = treeCredit(tree)
    const creditOf = (completion: string): number =>
      credits.get([...nodesOf(tree)].find(({ action }) => action.completion.includes(completion))!)!
    expect(credits.get(tree)).toBe(fraction(credit.root!))
    expect({
      NoRet: creditOf('[No Retrieval]'),
      Ret_a: creditOf('[Retrieval] a'),
      Ret_b: creditOf('[Retrieval] b'),
      Plan: creditOf('[Planning]'),
      'Plan/P1/DM1_LLM': creditOf('no. Action: [LLM]'),
      'Plan/P1/DM1_Ret': creditOf('[Retrieval] y'),
    }).toEqual(
      Object.fromEntries(
        Object.entries(credit)
          .filter(([path]) => path !== 'root')
          .map(([path, expected]) => [path, fraction(expected)]),
      ),
    )
  })

  it('ACQO, A.2: the advantages of a tree of one prompt are those of its group', async () => {
    const texts = ['who', 'a', 'b', 'no object', 'c', 'a %% b'].map((query) =>
      query === 'no object' ? query : JSON.stringify({ query }),
    )
    const rewards = [2, 1.5, 0, -0.1, 0.7, 1.9]
    const { tree } = await exploring(acqo({ strict: true }), saying({ 'acqo/rewrite': texts }), {
      branch: () => ({ samples: 6 }),
      failedReward: -0.1,
      reward: (_, [action]) => rewards[texts.indexOf(action!.completion)]!,
    })
    const advantages = treeAdvantages(tree)
    expect([...nodesOf(tree)].map((node) => advantages.get(node))).toEqual(groupAdvantages(rewards))
  })
})

import { describe, expect, it } from 'vitest'
import {
  namedPolicy,
  ownSettings,
  type PolicySettings,
  policyByName,
  policyNames,
} from '../../../policies/by-name.ts'
import { sayWithoutEffect } from '../../../src/cli/open/without-effect.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { testTerminal } from '../../support/test-terminal.ts'

async function said(
  settings: Parameters<typeof sayWithoutEffect>[0],
  ...names: readonly string[]
): Promise<string> {
  const terminal = testTerminal()
  const deciders = await Promise.all(names.map((name) => policyByName(name)))
  const chosen = deciders.map((decider) => ({ decider, rerank: undefined }))
  sayWithoutEffect(settings, chosen, terminal)
  return terminal.errors()
}

describe('a setting of another policy', () => {
  it('is named, with the policies that do not read it', async () => {
    expect(await said({ effort: 'low', maxRounds: 2 }, 'none')).toBe(
      '--effort has no effect with none.\n--set maxRounds has no effect with none.\n',
    )
    expect(await said({ template: 'Rewrite {question}', maxSecondStage: 3 }, 'local', 'none')).toBe(
      '--template has no effect with local, none.\n',
    )
  })

  it('is not named if one of the policies reads it, or if it is not given', async () => {
    expect(await said({ effort: 'low', withOriginal: undefined }, 'none', 'local')).toBe('')
    expect(await said({ timeout: 2000, chatTimeout: 500, workers: 2 }, 'none')).toBe('')
  })

  const others = policyNames.filter((name) => !name.startsWith('acqo'))
  it.each(others)('is none of those that %s reads', async (name) => {
    const read = new Set<PropertyKey>()
    const settings = new Proxy<PolicySettings>({}, { get: (_, key) => void read.add(key) })
    const policy = namedPolicy(name, settings)!
    await policy.make([])
    expect(ownSettings.filter((own) => read.has(own)).toSorted()).toEqual(policy.takes.toSorted())
  })

  it('is none of those of acqo, whose one sub-query has no number', () => {
    const [acqo, single] = ['acqo', 'acqo-single'].map((name) => namedPolicy(name)!.takes.toSorted())
    expect(acqo).toEqual(['maxRounds', 'maxSubQueries', 'template', 'withOriginal'])
    expect(single).toEqual(acqo!.filter((own) => own !== 'maxSubQueries'))
  })
})

describe('a setting of re-rankers from outside', () => {
  const all = { rerankUrl: 'http://here', rerankModel: 'm', rerankTimeout: 500 }
  async function saidWith(...reranks: readonly (string | false | undefined)[]): Promise<string[]> {
    const terminal = testTerminal()
    const decider = await policyByName('none')
    sayWithoutEffect(
      all,
      reranks.map((rerank) => ({ decider, rerank })),
      terminal,
    )
    return terminal.errors().split('\n').filter(Boolean)
  }

  it('is named if no re-ranker reads it', async () => {
    const ignored = [
      '--set rerankUrl has no effect without --rerank http or llm.',
      '--set rerankModel has no effect without --rerank http or onnx or llm.',
      '--set rerankTimeout has no effect without --rerank http or onnx or llm.',
    ]
    expect(await saidWith(false)).toEqual(ignored)
    expect(await saidWith(undefined, 'local')).toEqual(ignored)
    expect(await saidWith('onnx')).toEqual([ignored[0]])
  })

  it('is not named if one of them reads it', async () => {
    expect(await saidWith('http')).toEqual([])
    expect(await saidWith(false, 'llm')).toEqual([])
  })
})

describe('--set minConfidence', () => {
  const search = (...argv: readonly string[]) =>
    runToEnd(['search', 'x', '--index', '/nowhere', '--set', 'minConfidence=0.5', ...argv])

  it.each([
    [['--no-rerank']],
    [['--policy', 'none']],
    [['--rerank', 'http', '--set', 'rerankUrl=http://127.0.0.1:1']],
  ])('is refused where no hit has a confidence: %j', async (argv) => {
    const { status, errors } = await search(...argv)
    expect([status, errors]).toEqual([2, expect.stringContaining('--rerank local')])
  })

  it.each([[[]], [['--policy', 'none', '--rerank', 'local']], [['--no-rerank', '--set', 'minConfidence=0']]])(
    'is taken with %j',
    async (argv) => {
      expect((await search(...argv)).errors).toContain('/nowhere')
    },
  )
})

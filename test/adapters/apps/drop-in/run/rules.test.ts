/** Options for some indices: which rule applies to a search, and what it changes. */
import { describe, expect, it } from 'vitest'
import { answerRequest } from '../../../../../adapters/apps/drop-in/run/answer-request.ts'
import { settingsFor } from '../../../../../adapters/apps/drop-in/run/rules.ts'
import { type AppOptions, appSettings } from '../../../../../adapters/apps/drop-in/run/settings.ts'
import { warmUp } from '../../../../../adapters/apps/drop-in/run/warm-up.ts'
import { createCache } from '../../../../../adapters/cache/cache.ts'
import { expectError } from '../../../../support/expect-error.ts'
import { answerOf, found } from '../../../../support/fake-engine.ts'
import { deciding, leaving } from '../../../../support/scripted-policy.ts'

const off = { patterns: ['logs-*'], settings: undefined }
const base = { name: 'base', rules: [off, { patterns: ['shop', 'shop-*'], settings: { name: 'shop' } }] }

it.each<readonly [string | undefined, string | undefined]>([
  ['help', 'base'],
  ['shop', 'shop'],
  ['shop,shop-old', 'shop'],
  ['shop,help', 'base'],
  ['logs-1', undefined],
  ['shop,logs-1', undefined],
  ['logs-*', undefined],
  [undefined, 'base'],
])('a search of %s has the settings of %s', (index, name) =>
  expect(settingsFor<{ readonly name: string }>(base, index)?.name).toBe(name),
)

describe('an application', () => {
  const rules = [
    { index: 'logs-*', optimize: false },
    { index: ['shop'], policy: deciding(['arches']) },
  ]
  async function outcome(index: string, options: AppOptions = { policy: leaving, rules }) {
    const settings = await appSettings(options, 'test')()
    const answer = { body: answerOf(found('a')), status: 200, own: {} }
    const result = await answerRequest(
      {
        kind: 'search',
        index,
        parameters: {},
        items: [{ header: {}, body: { query: { match: { text: 'a' } } } }],
      },
      {
        send: async () => answer,
        msearch: async (legs) => legs.map(() => answerOf(found('b'))),
        fieldCaps: async () => ({ ...answer, status: 404 }),
      },
      {
        settings,
        memory: createCache(),
        identity: '',
        explains: false,
        signal: new AbortController().signal,
      },
    )
    if ('reason' in result) return 'passed through'
    const [one] = result.optimized
    return one && 'trace' in one ? one.trace?.kind : undefined
  }

  it('has another policy for one of them, and none for another', async () => {
    expect(await outcome('shop')).toBe('rewrite')
    expect(await outcome('help')).toBe('as-is')
    expect(await outcome('logs-1')).toBe('passed through')
  })

  it('shares one load among them', async () => {
    const { load, rules: read } = await appSettings({ policy: leaving, rules }, 'test')()
    expect(read[1]?.settings?.load).toBe(load)
  })

  it('reads fields that the engine does not tell by the texts of the rule', async () => {
    const texts = { text: ['code'] }
    const settings = await appSettings({ policy: leaving, rules: [{ index: 'shop', texts }] }, 'test')()
    const kindOf = async ({ kinds }: typeof settings) => {
      const scope = { identity: '', index: 'shop', header: {} }
      const fieldCaps = async () => ({ body: {}, status: 404, own: {} })
      return (await kinds.ask(scope, ['code'], { fieldCaps }))('code')
    }
    expect(await kindOf(settings)).not.toBe('text')
    expect(await kindOf(settings.rules[0]!.settings!)).toBe('text')
  })

  it.each<readonly [string, unknown, RegExp]>([
    ['has no index', { optimize: false }, /rules\.0\.index/],
    ['has an option that is the same for all', { index: 'a', workers: 3 }, /workers/],
    ['has a wrong option', { index: 'a', window: -1 }, /window/],
  ])('is told when a rule %s', (_, rule, fact) =>
    expectError(() => appSettings({ policy: leaving, rules: [rule as never] }, 'test'), 'bad-config', fact),
  )
})

it('a warm policy has decided and ranked once, and no other policy runs for that', async () => {
  const settings = await appSettings({ workers: 0 }, 'test')()
  let ranked = 0
  const own = settings.rerank!
  const counting: typeof own = {
    ...own,
    rerank(...given) {
      ranked++
      return own.rerank(...given)
    },
  }
  await warmUp({ ...settings, rerank: counting })
  await warmUp({ ...settings, policy: { name: 'mine', run: () => Promise.reject(new Error('It runs')) } })
  expect(ranked).toBe(1)
})

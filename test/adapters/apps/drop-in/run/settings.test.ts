import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AppOptions, appSettings } from '../../../../../adapters/apps/drop-in/run/settings.ts'
import { warmUp } from '../../../../../adapters/apps/drop-in/run/warm-up.ts'
import { httpReranker } from '../../../../../adapters/rerank/http.ts'
import { fusionByName } from '../../../../../fusion/index.ts'
import { localPolicy } from '../../../../../policies/local/local-policy.ts'
import { policyDigest } from '../../../../../policies/local/policy-file/policy-digest.ts'
import { policyText, writePolicy } from '../../../../../policies/local/policy-file/policy-store.ts'
import type { Policy } from '../../../../../src/policy.ts'
import type { Reranker } from '../../../../../src/reranker.ts'
import { expectError } from '../../../../support/expect-error.ts'
import { smallPolicy } from '../../../../support/small-policy.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'

const own: Reranker = { rerank: (_query, _lists, fused) => fused }

it('refuses fields of filters that cannot be used, by their name', () => {
  expectError(
    () => appSettings({ filters: { price: { type: 'amount' } as never } }, 'test'),
    'bad-config',
    /test: filters.*price/s,
  )
})

it('names the policies where one is given that is none of them, nor a file', () => {
  expectError(
    () => appSettings({ policy: 'nope' }, 'test'),
    'bad-config',
    /"nope".*local, none, agentic, acqo/,
  )
  for (const policy of ['nope.json', './nope'])
    expectError(() => appSettings({ policy }, 'test'), 'missing-file')
})

it.each<readonly [string, AppOptions]>([
  ['a fusion method', { fusion: 'nope' }],
  ['a fusion method that must be fitted first', { fusion: 'mapfuse' }],
  ['a limit', { resilience: { retries: -1 } }],
  ['a policy that asks a model, without one', { policy: 'acqo' }],
  ['a policy of a rule', { rules: [{ index: 'a', policy: 'nope' }] }],
])('refuses %s before anything is loaded', (_, options) =>
  expectError(() => appSettings(options, 'test'), 'bad-config'),
)

it('a policy file that was cut or edited is refused at once, one that this version cannot use when it is loaded', async () => {
  const path = join(await temporaryFolder(), 'policy.json')
  const use = () => appSettings({ policy: path }, 'test')
  const policy = await smallPolicy()
  await writeFile(path, policyText(policy).slice(0, 100))
  await expectError(use, 'bad-policy', path)
  await writePolicy(path, { ...policy, digest: '0'.repeat(64) })
  await expectError(use, 'bad-policy', path)
  const newer = { ...policy, version: 4 }
  await writePolicy(path, { ...newer, digest: policyDigest(newer) } as never)
  await expectError(use()(), 'bad-policy', path)
  await writePolicy(path, policy)
  expect((await use()()).policy.name).toBe('local')
})

it.each(['rank-score', 'rrf', 'max'])('makes the fusion method %s', async (fusion) => {
  const { fusion: made } = await appSettings({ policy: 'none', fusion }, 'test')()
  expect(made.name).toBe(fusionByName(fusion).name)
})

it('a policy that never changes a query is not none if its words may filter', async () => {
  const isNone = async (options: AppOptions) =>
    (await appSettings({ policy: 'none', ...options }, 'test')()).isNone
  expect(await isNone({})).toBe(true)
  expect(await isNone({ filters: { brand: 'keyword' } })).toBe(false)
})

const chat = { name: 'm', complete: () => Promise.reject(new Error('not asked')) }
const mine: Policy = { name: 'mine', run: () => Promise.reject(new Error('not run')) }

async function settingsOf(options: AppOptions) {
  const settings = await appSettings({ workers: 0, ...options }, 'test')()
  onTestFinished(() => settings.policy.close?.())
  return settings
}

const waiting = { ...own, waits: true }
const declaring = { ...mine, budget: { timeout: 9000, askTimeout: 4000 } }

it.each<readonly [string, AppOptions, number, number]>([
  ['the local policy', {}, 5000, 3000],
  ['a policy that asks a model', { policy: 'acqo', chat }, 5000, 3000],
  ['a prompt that takes longer than a search', { policy: 'acqo', chat, chatTimeout: 6000 }, 8000, 6000],
  ['a policy that declares both', { policy: 'c3po', chat }, 60_000, 10_000],
  [
    'prompts that take longer than it declares',
    { policy: 'c3po', chat, chatTimeout: 11_000 },
    134_000,
    11_000,
  ],
  ['a policy of the application that declares both', { policy: declaring, chatTimeout: 5000 }, 9000, 4000],
  ['a re-ranker that computes', { rerank: own }, 5000, 3000],
  ['a re-ranker that waits', { rerank: waiting }, 65_000, 3000],
  ['a re-ranker that waits, below a ceiling', { rerank: waiting, budget: { timeout: 400 } }, 400, 3000],
  ['a ceiling', { policy: declaring, budget: { timeout: 400, askTimeout: 300 } }, 400, 300],
  ['a higher ceiling', { budget: { timeout: 7000 } }, 7000, 3000],
])('%s: so long may a search and a prompt take', async (_, options, timeout, askTimeout) => {
  expect((await settingsOf(options)).budget).toMatchObject({ timeout, askTimeout })
})

it('takes the policy of a module, and refuses one that is nowhere at once', async () => {
  const path = join(await temporaryFolder(), 'policy.mjs')
  expectError(() => appSettings({ policy: path }, 'test'), 'missing-file', path)
  await writeFile(path, "export default { name: 'mine', prompts: ['mine'], run: async () => ({ hits: [] }) }")
  expect((await settingsOf({ policy: path, chat })).policy.name).toBe('mine')
  await expectError(settingsOf({ policy: path }), 'bad-config', /"mine"/)
})

it.each<readonly [string, AppOptions, boolean]>([
  ['its own re-ranker', {}, false],
  ['the re-ranker of the application', { rerank: own }, true],
  ['one that explains', { rerank: { ...own, explain: () => [] } }, true],
])('the local policy with %s', async (_, options, isChosen) =>
  expect((await settingsOf(options)).isChosen).toBe(isChosen),
)

it('its re-ranker is no other if the application passes it on', async () => {
  const { policy, rerank } = await localPolicy()
  expect(await settingsOf({ policy, rerank })).toMatchObject({ isChosen: false, leaves: false })
})

it.each(['none', 'local'])(
  'a policy of the application that is called %s is not that of the package',
  async (name) => {
    const policy = { ...mine, name }
    const settings = await settingsOf({ policy, fallback: 'local' })
    expect(settings).toMatchObject({ isNone: false, leaves: true, concurrency: 128 })
    // It has a fallback, and is not run to be warm.
    expect(settings.policy).not.toBe(policy)
    await warmUp({ ...settings, policy })
  },
)

it.each<readonly [string, AppOptions, number]>([
  ['the local policy', {}, 4],
  ['the local policy without re-ranking', { rerank: false }, 4],
  ['no policy', { policy: 'none' }, 128],
  [
    'no policy, and a rule with the local one',
    { policy: 'none', rules: [{ index: 'a', policy: 'local' }] },
    4,
  ],
  ['a chat model', { policy: 'acqo', chat }, 128],
  ['a policy of the application', { policy: mine }, 128],
  ['one with a re-ranker that computes', { policy: mine, rerank: own, workers: 2 }, 8],
  ['one with a re-ranker that waits', { policy: mine, rerank: waiting, workers: 2 }, 128],
  ['a re-ranker over HTTP', { policy: 'none', rerank: httpReranker({ url: 'http://localhost' }) }, 128],
  ['a number of the application', { concurrency: 3 }, 3],
])('%s lets so many searches be optimized at a time', async (_, options, places) => {
  expect((await settingsOf(options)).concurrency).toBe(places)
})

it('lets no more searches be optimized at a time', async () => {
  // However late the event loop of a busy machine is.
  const { load, concurrency } = await settingsOf({ policy: mine, rerank: own, maxDelay: 600_000 })
  // Nobody waits for a place whose caller is gone.
  const asked = { isBehind: false, signal: AbortSignal.abort() }
  const taken = await Promise.all(
    Array.from({ length: concurrency + 1 }, (_, at) => load.enter({ ...asked, key: String(at) })),
  )
  onTestFinished(() => {
    for (const place of taken) if ('leave' in place) place.leave()
  })
  expect(taken.findIndex((place) => 'isShed' in place)).toBe(concurrency)
})

it.each<readonly [string, AppOptions, boolean]>([
  ['the local policy', {}, false],
  ['the local policy, with filters', { filters: { brand: 'keyword' } }, false],
  [
    'the local policy, with a server that re-ranks',
    { rerank: httpReranker({ url: 'http://localhost' }) },
    true,
  ],
  ['a re-ranker of the application', { policy: 'none', rerank: own }, true],
  ['one that keeps them here', { policy: 'none', rerank: { ...own, stays: true } }, false],
  ['a policy that asks a model about them', { policy: 'c3po', chat }, true],
])('texts may leave the process, or not: %s', async (_, options, leaves) => {
  expect((await settingsOf(options)).leaves).toBe(leaves)
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type AppOptions, appSettings } from '../../../../../adapters/apps/drop-in/run/settings.ts'
import { httpReranker } from '../../../../../adapters/rerank/http.ts'
import { fusionByName } from '../../../../../fusion/index.ts'
import { policyDigest } from '../../../../../policies/local/policy-digest.ts'
import { policyText, writePolicy } from '../../../../../policies/local/policy-store.ts'
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
  expectError(() => appSettings({ policy: 'nope' }, 'test'), 'bad-config', /"nope".*local, none, acqo/)
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
  const newer = { ...policy, version: 2 }
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

it.each<readonly [string, Reranker, number]>([
  ['that computes', own, 8],
  ['that waits for a server', { ...own, waits: true }, 128],
  ['over HTTP', httpReranker({ url: 'http://localhost' }), 128],
])('a re-ranker %s lets as many searches be optimized at a time', async (_, rerank, places) => {
  // However late the event loop of a busy machine is.
  const open = appSettings({ policy: 'none', workers: 2, maxDelay: 600_000, rerank }, 'test')
  const { load } = await open()
  // Nobody waits for a place whose caller is gone.
  const asked = { isBehind: false, signal: AbortSignal.abort() }
  const taken = await Promise.all(
    Array.from({ length: places + 1 }, (_, at) => load.enter({ ...asked, key: String(at) })),
  )
  onTestFinished(() => {
    for (const place of taken) if ('leave' in place) place.leave()
  })
  expect(taken.findIndex((place) => 'isShed' in place)).toBe(places)
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
  [
    'a policy that asks a model about them',
    { policy: 'c3po', chat: { name: 'm', complete: () => Promise.reject(new Error('not asked')) } },
    true,
  ],
])('texts may leave the process, or not: %s', async (_, options, leaves) => {
  const { policy, ...settings } = await appSettings({ workers: 0, ...options }, 'test')()
  onTestFinished(() => policy.close?.())
  expect(settings.leaves).toBe(leaves)
})

/** A policy file that was damaged in any way is refused, with the file and what to do in the message. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { gainInputs } from '../../../../policies/local/decision/gain.ts'
import { policyDigest } from '../../../../policies/local/policy-file/policy-digest.ts'
import { type PolicyFile, parsePolicy } from '../../../../policies/local/policy-file/policy-file.ts'
import { policyText, readPolicy, writePolicy } from '../../../../policies/local/policy-file/policy-store.ts'
import { firstInputs, secondInputs } from '../../../../policies/local/rerank/features.ts'
import { pairInputs } from '../../../../policies/local/rerank/group-features.ts'
import { isQuerentError, type QuerentError } from '../../../../src/errors.ts'
import { expectError } from '../../../support/expect-error.ts'
import { decisionBy, linear } from '../../../support/small-scorers.ts'

const digest = '0123456789abcdef'.repeat(4)
const whole: Omit<PolicyFile, 'digest'> = {
  format: 'querent-policy',
  version: 3,
  terms: { documents: 120, stems: { 2: 'bridg river', 40: 'town' } },
  decision: decisionBy({ 'plan: parts': 0.25, 'plan: texts': -1.5e-7 }),
  rerank: {
    first: [linear(firstInputs, { 'lexical 1/rank': 0.5 })],
    second: [
      { ...linear(secondInputs), hidden: [{ bias: 0.5, weights: secondInputs.map(() => 0), out: 2 }] },
    ],
    pair: [linear(pairInputs)],
  },
  options: { seed: 7, note: null, nested: { epochs: [1, 2] } },
  trainedOn: [{ collection: 'towns', queries: 12, retrievers: ['bm25'], judgements: digest, corpus: digest }],
}
const policy: PolicyFile = { ...whole, digest: policyDigest(whole) }
const text = policyText(policy)
const folder = await mkdtemp(join(tmpdir(), 'querent-test-'))
afterAll(() => rm(folder, { recursive: true }))

/** As JSON has it, so that anything can be put anywhere. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
const copy = (): { [key: string]: Json } => JSON.parse(text)

/** A file with this content, read: the error that it is refused with. */
async function refusal(content: string): Promise<QuerentError | undefined> {
  const path = join(folder, 'policy.json')
  await writeFile(path, content)
  const error: unknown = await readPolicy(path).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error !== undefined && !isQuerentError(error)) throw error
  expect(error?.message ?? path).toContain(path)
  return error
}

/** The same with a digest that fits: written so, not edited. */
const refusalOf = (changed: { [key: string]: Json }): Promise<QuerentError | undefined> =>
  refusal(policyText({ ...changed, digest: policyDigest(changed as never) } as never))

/** The ways to every value, but those in `options`, where anything may stand. */
function pathsOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (path[0] === 'options' || typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}
const paths = pathsOf(copy()).filter(
  ([first]) => first !== undefined && first !== 'options' && first !== 'digest',
)
const anyPath = fc.constantFrom(...paths)

/** A copy in which the value at the end of a path is another, or is gone. */
function changedAt(path: readonly string[], value: Json | undefined): { [key: string]: Json } {
  const changed = copy()
  const holder = path.slice(0, -1).reduce<Json>((at, key) => (at as { [key: string]: Json })[key]!, changed)
  const last = path.at(-1)!
  if (value !== undefined) (holder as { [key: string]: Json })[last] = value
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete (holder as { [key: string]: Json })[last]
  return changed
}

describe('a policy file', () => {
  it('comes back as it was, whatever the order of its keys', async () => {
    const path = join(folder, 'new', 'policy.json')
    await writePolicy(path, policy)
    expect(await readPolicy(path)).toEqual(policy)
    const reversed = (value: Json): Json => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, inner]) => [key, reversed(inner)]),
      )
    }
    expect(await refusal(JSON.stringify(reversed(copy()), null, 2))).toBeUndefined()
  })

  it('is refused when it was cut, wherever, compressed or not', () => {
    const whole = fc.constantFrom(Buffer.from(text.trimEnd()), gzipSync(text))
    fc.assert(
      fc.property(whole, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (bytes, share) => {
        const cut = bytes.subarray(0, Math.floor(share * bytes.length))
        const parse = (): PolicyFile => parsePolicy(cut, 'shelf/policy.json')
        expectError(parse, 'bad-policy', /^shelf\/policy\.json/)
      }),
      { numRuns: 100 },
    )
  })

  it('is refused when a digit of it is another', async () => {
    const digits = [...text.matchAll(/\d/g)].map(({ index }) => index)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...digits), fc.integer({ min: 1, max: 9 }), async (at, by) => {
        const digit = (Number(text[at]) + by) % 10
        const error = await refusal(text.slice(0, at) + digit + text.slice(at + 1))
        expect(error?.code).toBe('bad-policy')
      }),
      { numRuns: 60 },
    )
  })

  it('is refused when something is of another type, and told where', async () => {
    await fc.assert(
      fc.asyncProperty(anyPath, fc.constantFrom<Json>(null, true, { moon: 1 }), async (path, value) => {
        const error = await refusalOf(changedAt(path, value))
        expect(error?.code).toBe('bad-policy')
        expect(error?.message).toContain(path[0])
      }),
      { numRuns: 60 },
    )
  })

  it('is refused when something is missing, sections excepted', async () => {
    const optional = ['decision', 'rerank', 'trainedOn.0', 'trainedOn.0.retrievers.0', 'rerank.pair.0']
    const isOptional = (path: readonly string[]): boolean =>
      optional.includes(path.join('.')) || /hidden\.0$|^terms\.stems\.\d+$/.test(path.join('.'))
    await fc.assert(
      fc.asyncProperty(anyPath, async (path) => {
        const error = await refusalOf(changedAt(path, undefined))
        expect(error?.code).toBe(isOptional(path) ? undefined : 'bad-policy')
      }),
      { numRuns: 60 },
    )
    for (const path of optional)
      expect(await refusalOf(changedAt(path.split('.'), undefined))).toBeUndefined()
  })

  it('is refused when there is more than there should be', async () => {
    const objects = paths.filter((path) => {
      const value = path.reduce<Json>((at, key) => (at as { [key: string]: Json })[key]!, copy())
      return typeof value === 'object' && !Array.isArray(value) && path[1] !== 'stems'
    })
    expect(objects.length).toBeGreaterThan(8)
    for (const path of objects)
      expect((await refusalOf(changedAt([...path, 'moon'], 1)))?.message).toContain('moon')
  })

  it('is refused when it was made for other features, and told which', async () => {
    for (const [path, names] of [
      [['decision', 'seeds'], firstInputs],
      [['decision', 'gains', '0'], gainInputs],
      [['rerank', 'first', '0'], firstInputs],
      [['rerank', 'second', '0'], secondInputs],
      [['rerank', 'pair', '0'], pairInputs],
    ] as const) {
      const error = await refusalOf(changedAt([...path, 'inputs', '2'], 'moon phase'))
      expect(error?.code).toBe('bad-policy')
      expect(error?.what).toContain(`"${names[2]}"`)
    }
  })

  it.each([
    ['a newer version', { ...copy(), version: 4 }, /newer .*version 4/],
    ['an older version', { ...copy(), version: 2 }, /older .*version 2.*Train it again/s],
    ['an older version of something else', { ...copy(), format: 'querent-index', version: 1 }, /format/],
    ['no gains', { ...copy(), decision: { ...whole.decision, gains: [] } }, /decision\.gains/],
    ['no version', { ...copy(), version: '1' }, /version/],
    ['another format', { ...copy(), format: 'querent-index' }, /format/],
    ['a number that is none', text.replace('"documents":120', '"documents":1e999'), /terms\.documents/],
    ['a number that is too large', text.replace('"bias":0.5', '"bias":1e999'), /bias/],
    ['an array', [], /policy\.json/],
    ['a number', 7, /policy\.json/],
    ['nothing', 'null', /policy\.json/],
    ['two policies', text + text, /policy\.json/],
    ['bytes of something else', '\u0000\u0001PK', /policy\.json/],
  ])('is refused when it is %s', async (_, content, message) => {
    const error = await refusal(typeof content === 'string' ? content : JSON.stringify(content))
    expect(error?.code).toBe('bad-policy')
    expect(error?.message).toMatch(message)
  })

  it('that does not exist is a missing file', async () => {
    await expectError(readPolicy(join(folder, 'nowhere.json')), 'missing-file')
    await expectError(readPolicy(folder), 'missing-file')
  })
})

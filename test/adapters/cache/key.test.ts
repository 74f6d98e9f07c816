/** Keys: equal for equal parts only, and never made of something that JSON leaves out. */
import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { canHold, digestOf } from '../../../adapters/cache/key.ts'
import { expectError } from '../../support/expect-error.ts'

/** An object that keeps the greater part of what it has to itself. */
class Session {
  readonly #user: string
  readonly role = 'reader'
  constructor(user: string) {
    this.#user = user
  }
  isOf(user: string): boolean {
    return this.#user === user
  }
}

describe('a key', () => {
  it('is equal for equal parts only', () => {
    const part = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.bigInt({ min: -3n, max: 3n }),
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, null, '3n', '"3n', 'NaNn', 3, '3'),
    )
    /** Another way to write them without loss. */
    const told = (value: unknown): string =>
      JSON.stringify(value, (_, inner: unknown) =>
        typeof inner === 'bigint' || (typeof inner === 'number' && !Number.isFinite(inner))
          ? { [typeof inner]: String(inner) }
          : inner,
      )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 3 }), fc.array(part, { maxLength: 3 }), (one, other) => {
        expect(digestOf(one) === digestOf(other)).toBe(told(one) === told(other))
      }),
    )
  })

  it.each<readonly [string, unknown, unknown]>([
    ['a long integer and its text', 5n, '5n'],
    ['long integers', 9007199254740993n, 9007199254740992n],
    ['numbers that are not finite', Number.NaN, null],
    ['times', new Date(0), new Date(1)],
    ['numbers of a lossless parser', new LosslessNumber('1.0'), new LosslessNumber('1.00')],
    ['bytes', Buffer.from('a'), Buffer.from('b')],
    ['undefined and null', undefined, null],
    ['undefined and its text', undefined, 'undefined'],
    ['undefined and nothing', [undefined], []],
  ])('tells apart %s', (_, one, other) => {
    expect(digestOf([{ one }])).toBe(digestOf([{ one }]))
    expect(digestOf([{ one }])).not.toBe(digestOf([{ one: other }]))
  })

  it.each<readonly [string, unknown]>([
    ['Headers', new Headers({ authorization: 'ann' })],
    ['a map', new Map([['user', 'ann']])],
    ['a set', new Set(['ann'])],
    ['a symbol', Symbol('ann')],
    ['a function', () => 'ann'],
    ['an error', new Error('ann')],
    ['an error with a code', Object.assign(new Error('ann'), { code: 'x' })],
    ['a map with a property', Object.assign(new Map([['user', 'ann']]), { kind: 'user' })],
    ['an object with symbols', { [Symbol('user')]: 'ann', role: 'reader' }],
    ['a date that is none', new Date('x')],
    ['an object that keeps its parts to itself', new Session('ann')],
  ])('holds no %s, at any depth', (_, value) => {
    for (const parts of [[value], [{ a: [value] }]]) {
      expect(canHold(parts)).toBe(false)
      expectError(() => digestOf(parts), 'bad-config')
    }
  })

  it('holds nothing that has no end', () => {
    const endless: unknown[] = []
    endless.push(endless)
    expect(canHold(endless)).toBe(false)
  })

  it('holds objects without a prototype', () => {
    expect(digestOf([Object.create(null)])).toBe(digestOf([{}]))
  })
})

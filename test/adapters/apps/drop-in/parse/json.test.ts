/** JSON as it came: reading and changing it without touching what is not ours. */
import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import {
  isObject,
  listOf,
  numberOf,
  only,
  type Path,
  valueAt,
  without,
  withValue,
} from '../../../../../adapters/apps/drop-in/parse/json.ts'

/** Values of any shape, and a path in one of them. */
const placed = fc
  .jsonValue({ depthSize: 'small' })
  .chain((value) => fc.tuple(fc.constant(value), fc.constantFrom<Path>(...pathsIn(value))))

function pathsIn(value: unknown): Path[] {
  const inner = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : []
  return [[], ...inner.flatMap(([key, one]) => pathsIn(one).map((path) => [key, ...path]))]
}

describe('isObject', () => {
  it.each([[{}], [{ a: 1 }], [Object.create(null)]])('is true of %j', (value) =>
    expect(isObject(value)).toBe(true),
  )

  it.each([[null], [undefined], [[]], ['a'], [1], [new LosslessNumber('1')], [new Date()]])(
    'is false of %j',
    (value) => expect(isObject(value)).toBe(false),
  )
})

describe('numberOf', () => {
  it.each([
    [3, 3],
    [-0.5, -0.5],
    [new LosslessNumber('12.50'), 12.5],
    ['3', undefined],
    [null, undefined],
    [undefined, undefined],
    [[3], undefined],
    [{ value: 3 }, undefined],
    [new Date(Number.NaN), undefined],
  ])('of %j is %j', (value, number) => expect(numberOf(value)).toBe(number))
})

describe('valueAt and withValue', () => {
  const body = { query: { bool: { must: [{ match: { a: 'x' } }, { match: { b: 'y' } }] } }, size: 3 }

  it('read and change one place', () => {
    const path = ['query', 'bool', 'must', 1, 'match', 'b']
    expect(valueAt(body, path)).toBe('y')
    expect(withValue(body, path, 'z')).toEqual({
      query: { bool: { must: [{ match: { a: 'x' } }, { match: { b: 'z' } }] } },
      size: 3,
    })
    expect(valueAt(body, path)).toBe('y')
  })

  it('share what is not on the way', () => {
    const changed = withValue(body, ['query', 'bool', 'must', 1], 'z') as typeof body
    expect(changed.query.bool.must[0]).toBe(body.query.bool.must[0])
    expect(changed.query).not.toBe(body.query)
  })

  it.each([[['nothing', 'here']], [['size', 'a']], [['query', 'bool', 'must', 7]]])(
    'find nothing at %j',
    (path) => expect(valueAt(body, path)).toBeUndefined(),
  )

  it('agree wherever it is, and put a value back as it was', () =>
    fc.assert(
      fc.property(placed, ([value, path]) => {
        const marker = { marker: true }
        const changed = withValue(value, path, marker)
        expect(valueAt(changed, path)).toBe(marker)
        expect(withValue(changed, path, valueAt(value, path))).toEqual(value)
      }),
    ))
})

it('only and without part an object in two', () => {
  const object = { a: 1, b: undefined, c: 3 }
  expect(only(object, 'a', 'b', 'x')).toEqual({ a: 1, b: undefined })
  expect(without(object, 'a', 'b', 'x')).toEqual({ c: 3 })
})

it('listOf makes a list of what stands alone', () => {
  expect(listOf('a')).toEqual(['a'])
  expect(listOf(['a', 'b'])).toEqual(['a', 'b'])
})

/** How much is optimized at a time, and what passes through. */
import { expect, it } from 'vitest'
import { admit, admitEach, createLoad, isShed } from '../../../../../adapters/apps/drop-in/run/load.ts'

const punctual = () => 0
const search = { words: 'anything' }

it('has so many places, and says why there is no more', () => {
  const load = createLoad(2, 100, punctual)
  const [first, , third] = [1, 2, 3].map(() => admit(load, search))
  expect(first).toMatchObject({ understood: search })
  expect(third).toEqual({ reason: 'as many searches as may be are being optimized (2)', isShed: true })
  expect(load.counts).toEqual({ optimizing: 2, admitted: 2, shed: 1 })
  if (!('reason' in first!)) first!.leave()
  expect(admit(load, search)).toMatchObject({ understood: search })
})

it('has no second one while the event loop is late', () => {
  let delay = 101
  const load = createLoad(20, 100, () => delay)
  expect(admit(load, search)).toMatchObject({ understood: search })
  expect(admit(load, search)).toMatchObject({ reason: 'the event loop is late' })
  expect(admitEach(load, [search])).toMatchObject({ reason: 'the event loop is late' })
  delay = 100
  expect(admit(load, search)).toMatchObject({ understood: search })
})

it('takes the searches of an _msearch together, however late the event loop is', () => {
  const load = createLoad(20, 100, () => 1000)
  const given = admitEach(load, [search, search, search])
  expect('understood' in given && given.understood).toEqual([search, search, search])
})

it('counts nothing that passes through for another reason', () => {
  const load = createLoad(1, 100, punctual)
  expect(admit(load, { reason: 'it asks for no hits (`size: 0`)' })).toEqual({
    reason: 'it asks for no hits (`size: 0`)',
  })
  expect(load.counts).toEqual({ optimizing: 0, admitted: 0, shed: 0 })
})

it('takes the first ten of an _msearch, and gives all places back', () => {
  const load = createLoad(100, 100, punctual)
  const given = admitEach(load, [{ reason: 'no words' }, ...Array.from({ length: 600 }, () => search)])
  if ('reason' in given) throw new Error(given.reason)
  expect(given.understood.filter((one) => 'words' in one)).toHaveLength(10)
  expect(given.understood[0]).toEqual({ reason: 'no words' })
  expect(given.understood.filter(isShed)).toHaveLength(590)
  expect(load.counts).toEqual({ optimizing: 10, admitted: 10, shed: 590 })
  given.leave()
  expect(load.counts.optimizing).toBe(0)
})

it('lets an _msearch pass through as a whole where there is no place', () => {
  const load = createLoad(1, 100, punctual)
  admit(load, search)
  expect(admitEach(load, [search, search])).toMatchObject({
    reason: 'as many searches as may be are being optimized (1)',
  })
  expect(admitEach(load, { reason: 'the caller said so' })).toEqual({ reason: 'the caller said so' })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readFilters, textWithout } from '../../../policies/filters/read-filters.ts'
import type { Condition } from '../../../src/types.ts'
import { isListed, knownInShop, shopDocuments, shopFields, shopQueries } from '../../support/shop.ts'

type Conditions = readonly Condition[]

const known = await knownInShop(shopFields)
const conditionsIn = (text: string): Conditions => readFilters(text, known).map(({ condition }) => condition)

const price = (bounds: Omit<Condition, 'field'>): Conditions => [{ field: 'price', ...bounds }]
const brand = (...is: string[]): Conditions => [{ field: 'brand', is }]
const weight = (bounds: Omit<Condition, 'field'>): Conditions => [{ field: 'weight', ...bounds }]
const rating = (bounds: Omit<Condition, 'field'>): Conditions => [{ field: 'rating', ...bounds }]
const released = (bounds: Omit<Condition, 'field'>): Conditions => [{ field: 'released', ...bounds }]

describe('reads', () => {
  it.each<[string, Conditions]>([
    ['sandal 80 euro or under', price({ lte: 80 })],
    ['sandal less than 80€', price({ lt: 80 })],
    ['sandal not over 80 euros', price({ lte: 80 })],
    ['sandal priced under €80', price({ lt: 80 })],
    ['sandal for 80 euros or less', price({ lte: 80 })],
    ['sandal, maximum price 80 euros', price({ lte: 80 })],
    ['sandal price: max 80 €', price({ lte: 80 })],
    ['sandal price <= 80', price({ lte: 80 })],
    ['sandal €80 and under', price({ lte: 80 })],
    ['sandal €80+', price({ gte: 80 })],
    ['sandal 80 euros and up', price({ gte: 80 })],
    ['sandal minimum 80 euros', price({ gte: 80 })],
    ['sandal starting at 80 euros', price({ gte: 80 })],
    ['sandal price from 80 to 120', price({ gte: 80, lte: 120 })],
    ['sandal 80 to 120 euros', price({ gte: 80, lte: 120 })],
    ['sandal €80-€120', price({ gte: 80, lte: 120 })],
    ['sandal over 80 and under 120 euros', [...price({ gt: 80 }), ...price({ lt: 120 })]],
    ['sandal 80€ budget', price({ lte: 80 })],
    ['sandal, my budget is 80 euros', price({ lte: 80 })],
    ["sandal, I can't spend more than 80 euros", price({ lte: 80 })],
    ['sandal that does not cost more than 80 euros', price({ lte: 80 })],
    ['sandal, nothing over 80 euros', price({ lte: 80 })],
    ['sandal under 1,200 euros', price({ lt: 1200 })],
    ['sandal under 1.200,50 euros', price({ lt: 1200.5 })],
    ['sandal under €2k', price({ lt: 2000 })],
    ['sandal made by Northwind', brand('Northwind')],
    ['sandal from Northwind', brand('Northwind')],
    ['Northwind brand sandal', brand('Northwind')],
    ['sandal brand: Zephyr', brand('Zephyr')],
    ['sandal by Zephyr or Northwind', brand('Zephyr', 'Northwind')],
    ['millers sandal', brand("Miller's")],
    ['kestrel and sons sandal', []],
    ['Kestrel Sons sandal', brand('Kestrel & Sons')],
    ['hale boggs sandal', brand('Hale-Boggs')],
    ['under oak sandal under 80', [...brand('Under Oak'), ...price({ lt: 80 })]],
    ['sandal without Aurora', [{ field: 'brand', not: ['Aurora'] }]],
    ['sandal in dark blue', [{ field: 'color', is: ['dark blue'] }]],
    ['red or green sandal', [{ field: 'color', is: ['red', 'green'] }]],
    ['sandal colour black', [{ field: 'color', is: ['black'] }]],
    ["women's sandal", [{ field: 'audience', is: ['women'] }]],
    ['sandal size: M', [{ field: 'size', is: ['M'] }]],
    ['sandal in size 42', [{ field: 'size', is: ['42'] }]],
    ['sandal weighs less than 2 kg', weight({ lt: 2 })],
    ['sandal weight up to 3kg', weight({ lte: 3 })],
    ['sandal max weight 2 kg', weight({ lte: 2 })],
    ['sandal 2 kg max', weight({ lte: 2 })],
    ['sandal not heavier than 3 kg', weight({ lte: 3 })],
    ['sandal maximum weight of 2 kg', weight({ lte: 2 })],
    ['sandal rating of at least 4', rating({ gte: 4 })],
    ['sandal 4 stars and up', rating({ gte: 4 })],
    ['sandal at least 4 star rating', rating({ gte: 4 })],
    ['5 star sandal', rating({ is: [5] })],
    ['sandal after 2018', released({ gte: '2019-01-01' })],
    ['sandal 2019 and later', released({ gte: '2019-01-01' })],
    ['sandal from 2018 onwards', released({ gte: '2018-01-01' })],
    ['sandal until 2020', released({ lt: '2021-01-01' })],
    ['sandal released before 2018', released({ lt: '2018-01-01' })],
    ['sandal made in 2021', released({ gte: '2021-01-01', lt: '2022-01-01' })],
    ['sandal since 2020-05-01', released({ gte: '2020-05-01' })],
    ['sandal before May 3, 2020', released({ lt: '2020-05-03' })],
    ['water resistant sandal', [{ field: 'waterproof', is: [true] }]],
    ['non-waterproof sandal', [{ field: 'waterproof', not: [true] }]],
  ])('%s', (text, expected) => expect(conditionsIn(text)).toEqual(expected))
})

describe('leaves alone', () => {
  it.each([
    'sandal',
    '',
    'sandal 80',
    'sandal under 1.299 euros', // 1.299 or 1299?
    'sandal under $80', // another currency
    'sandal for kid under 12', // an age
    'sandal with 80 euros off',
    'orange sandal', // a brand and a color
    'sandal M', // a letter
    'bag for Aurora',
    'Aurora style sandal',
    'sandal similar to Aurora',
    'sandal xz2019',
    'sandal over 80 pieces',
    'sandal not over the top',
    'the years between the wars',
    'under the oak, over the hill',
    'sandal between 200 and 100 euros',
    'sandal between 2000 and 2020', // years, or prices?
    'sandal in 1850',
    'sandal 4k 5g usb-3',
  ])('%s', (text) => {
    expect(conditionsIn(text)).toEqual([])
  })
})

describe('keeps to what the operator lists', () => {
  it('reads no operator that a field does not have', async () => {
    const few = await knownInShop({
      price: { type: 'number', unit: 'EUR', operators: ['below'] },
      brand: { type: 'keyword', operators: ['is'] },
      released: { type: 'date', operators: ['is'] },
    })
    const conditions = (text: string) => readFilters(text, few).map(({ condition }) => condition)
    expect(conditions('sandal over 80 euros, not from Aurora, since 2019')).toEqual([])
    expect(conditions('sandal between 80 and 90 euros')).toEqual([])
    expect(conditions('sandal under 80 euros from Aurora made in 2019')).toHaveLength(3)
  })

  it('reads listed values by the words that mean them, and no other value of the index', async () => {
    const fields = { audience: { type: 'keyword', values: { women: ['ladies', 'lady'], men: [] } } } as const
    const listed = await knownInShop(fields)
    const is = (text: string) => readFilters(text, listed).map(({ condition }) => condition.is)
    expect(is("ladies' sandal")).toEqual([['women']])
    expect(is('sandal men')).toEqual([['men']])
    expect(is('kids sandal')).toEqual([])
  })

  it('converts measures and never currencies', async () => {
    const fields = { weight: 'g', screen: 'inch', price: 'GBP', storage: 'TB' }
    const units = await knownInShop(fields)
    const conditions = (text: string) => readFilters(text, units).map(({ condition }) => condition)
    expect(conditions('under 1.5 kg')).toEqual([{ field: 'weight', lt: 1500 }])
    expect(conditions('15.6" notebook')).toEqual([{ field: 'screen', is: [15.6] }])
    expect(conditions('at least 500 GB')).toEqual([{ field: 'storage', gte: 0.5 }])
    expect(conditions('under 50 euros')).toEqual([])
    expect(conditions('under £50')).toEqual([{ field: 'price', lt: 50 }])
    // Money or weight?
    expect(conditions('under 50 pounds')).toEqual([])
  })

  it('whatever the words are', () => {
    const pieces = fc.constantFrom(
      ...'under over between and 50 € euros 1,5 99.999 kg since 2019 - <'.split(' '),
      ...'Aurora Orange orange not for women size M stars + __proto__ constructor'.split(' '),
    )
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.array(pieces, { maxLength: 12 }).map((words) => words.join(' ')),
      fc
        .array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 12 })
        .map((words) => words.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        for (const filter of readFilters(text, known)) {
          expect(isListed(filter.condition, text)).toBe(true)
          for (const [start, end] of filter.spans) expect(start).toBeLessThan(end)
        }
        expect(textWithout(text, readFilters(text, known)).length).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 500 },
    )
  })
})

describe('200 queries of a shop', () => {
  const same = (one: Conditions, other: Conditions): boolean => sorted(one) === sorted(other)
  const sorted = (conditions: Conditions): string =>
    JSON.stringify(conditions.map((one) => JSON.stringify(Object.entries(one).sort())).sort())

  it.each([7, 8, 9])(
    'reads at least 90 %% of them right, and nothing that is not listed (seed %s)',
    (seed) => {
      const queries = shopQueries(shopDocuments(), seed)
      const right = queries.filter(({ text, conditions }) => same(conditionsIn(text), conditions))
      expect(queries).toHaveLength(200)
      expect(right.length).toBeGreaterThanOrEqual(180)
      const read = queries.flatMap(({ text }) => conditionsIn(text).map((condition) => ({ text, condition })))
      expect(read.filter(({ text, condition }) => !isListed(condition, text))).toEqual([])
      expect(read.length).toBeGreaterThan(150)
    },
  )
})

describe('the rest of the text', () => {
  const rest = (text: string): string => textWithout(text, readFilters(text, known))
  it.each([
    ['red sandal under 80 euros', 'sandal'],
    ['a light sandal from Aurora, for women and under 80 euros', 'a light sandal'],
    // If nothing is left, all of it is searched.
    ['Aurora under 80 euros', 'Aurora under 80 euros'],
    ['sandal', 'sandal'],
  ])('%s', (text, expected) => expect(rest(text)).toBe(expected))
})

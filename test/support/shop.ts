/** A made-up shop, and queries with known constraints for it: all of it from one seed. */
import { filtering } from '../../adapters/search/filtering.ts'
import { type FilterFields, fieldsOf, filterFieldsSchema } from '../../policies/filters/fields.ts'
import { type Known, knownOf, wantedOf } from '../../policies/filters/known.ts'
import { createRandom, type Random } from '../../src/learn/random.ts'
import type { Condition, Document } from '../../src/types.ts'

export const shopFields: FilterFields = {
  brand: 'keyword',
  category: 'keyword',
  color: { type: 'keyword', words: ['color', 'colour'] },
  audience: { type: 'keyword', words: ['for'] },
  size: 'keyword',
  price: 'EUR',
  weight: 'kg',
  memory: { type: 'number', unit: 'GB', words: ['memory', 'ram'] },
  rating: { type: 'number', unit: 'stars' },
  released: { type: 'date', words: ['released', 'from', 'model'] },
  waterproof: { type: 'flag', words: ['waterproof', 'water resistant'] },
}

const brands = [
  'Northwind',
  'Kestrel & Sons',
  'Hale-Boggs',
  "Miller's",
  'Aurora',
  'Orange',
  'Under Oak',
  '3K',
  'Zephyr',
]
const colors = ['red', 'blue', 'green', 'black', 'orange', 'dark blue']
const audiences = ['women', 'men', 'kids']
const sizes = ['S', 'M', 'L', '40', '42']
const goods: Readonly<Record<string, readonly string[]>> = {
  Shoes: ['trail runner', 'sandal', 'hiking boot', 'sneaker'],
  Laptops: ['gaming notebook', 'office notebook', 'convertible'],
  Tents: ['dome shelter', 'tunnel shelter', 'family shelter'],
  Backpacks: ['daypack', 'trekking rucksack', 'city rucksack'],
}
const qualities = ['light', 'sturdy', 'compact', 'soft', 'quiet', 'robust', 'foldable', 'breathable']

type Facts = Readonly<Record<string, string | number | boolean>>

export function shopDocuments(seed = 1, count = 800): Document[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, place) => {
    const category = pick(random, Object.keys(goods))
    const good = pick(random, goods[category]!)
    const brand = pick(random, brands)
    const [one, two] = [pick(random, qualities), pick(random, qualities)]
    const metadata: Facts = {
      brand,
      category,
      color: pick(random, colors),
      audience: pick(random, audiences),
      size: pick(random, sizes),
      price: random.integer(500) + 10 + (random.integer(2) === 0 ? 0 : 0.99),
      weight: (random.integer(60) + 1) / 10,
      ...(category === 'Laptops' && { memory: pick(random, [8, 16, 32, 64]) }),
      rating: (random.integer(41) + 10) / 10,
      released: `20${15 + random.integer(10)}-0${1 + random.integer(9)}-1${random.integer(10)}`,
      waterproof: random.integer(2) === 0,
    }
    return {
      docid: `p${place}`,
      title: `${brand} ${good}`,
      text: `A ${one} and ${two} ${good}. Comes with a guarantee of two years.`,
      metadata,
    }
  })
}

/** What is known of these fields in the shop. */
export async function knownInShop(given: FilterFields): Promise<Known> {
  const fields = fieldsOf(filterFieldsSchema.parse(given))
  const asked = wantedOf(fields)
  const { values } = filtering('shop', async () => shopDocuments().map(({ metadata }) => metadata))
  const options = { signal: new AbortController().signal }
  const found = await values!(
    asked.map(({ wanted }) => wanted),
    options,
  )
  return knownOf(fields, new Map(asked.map(({ field }, place) => [field, found[place]!])))
}

/** Whether a condition has a field and a value of the shop, or numbers of the query in any unit of the shop. */
export function isListed({ field, is, not, ...bounds }: Condition, text: string): boolean {
  const texts: Readonly<Record<string, readonly unknown[]>> = {
    brand: brands,
    category: Object.keys(goods),
    color: colors,
    audience: audiences,
    size: sizes,
    waterproof: [true],
  }
  if (Object.hasOwn(texts, field))
    return (
      [...(is ?? []), ...(not ?? [])].every((value) => texts[field]!.includes(value)) &&
      Object.keys(bounds).length === 0
    )
  if (!['price', 'weight', 'memory', 'rating', 'released'].includes(field) || not !== undefined) return false
  const digits = text.replace(/[^0-9]/g, '')
  return [...(is ?? []), ...Object.values(bounds)].every((bound) => {
    // A day or a year later than one of the query: "after 2019" begins with 2020.
    if (typeof bound === 'string') return /^(?:19|20|21)\d\d-\d\d-\d\d$/.test(bound)
    return typeof bound === 'number' && units.some((unit) => digits.includes(significant(bound / unit)))
  })
}

/** What units of a query are in those of the shop, but for powers of ten. The second is a pound, the third an ounce. */
const units = [1, 0.45359237, 0.45359237 / 16]

/** The digits of a number, without zeros at its ends. */
const significant = (number: number): string =>
  String(Number(number.toPrecision(12)))
    .replace(/[.]|e.*$/g, '')
    .replace(/^0+|0+$/g, '')

export interface ShopQuery {
  readonly text: string
  /** What the query asks for; for none, its words only look like a constraint. */
  readonly conditions: readonly Condition[]
  /** The docids of the documents that it asks for. */
  readonly relevant: ReadonlySet<string>
}

/** A constraint in words, behind or before the thing that is looked for. */
interface Wording {
  readonly before?: string
  readonly behind?: string
  readonly condition?: Condition
}

type Make = (random: Random) => Wording

const price = (random: Random): number => 30 + 10 * random.integer(40)
const year = (random: Random): number => 2016 + random.integer(8)
const jan = (year: number): string => `${year}-01-01`
const exact = (field: string, value: string | number | boolean): Condition => ({ field, is: [value] })

/** Written before the reader was run on any of them. */
const prices: readonly Make[] = [
  (random) => below('under # euros', price(random), 'lt'),
  (random) => below('below €#', price(random), 'lt'),
  (random) => below('for less than # €', price(random), 'lt'),
  (random) => below('cheaper than # EUR', price(random), 'lt'),
  (random) => below('under #', price(random), 'lt'),
  (random) => below('up to # euros', price(random), 'lte'),
  (random) => below('max # euro', price(random), 'lte'),
  (random) => below('at most €#', price(random), 'lte'),
  (random) => below('no more than # euros', price(random), 'lte'),
  (random) => below('# euros or less', price(random), 'lte'),
  (random) => below('# € max', price(random), 'lte'),
  (random) => below('price below #', price(random), 'lt'),
  (random) => below('<#€', price(random), 'lt'),
  (random) => below('not more expensive than # euros', price(random), 'lte'),
  (random) => below('that costs less than #,50 euros', price(random), 'lt', 0.5),
  (random) => below('with a budget of # euros', price(random), 'lte'),
  (random) => above('over # euros', price(random) / 2, 'gt'),
  (random) => above('from # euros', price(random) / 2, 'gte'),
  (random) => above('at least €#', price(random) / 2, 'gte'),
  (random) => above('price more than #', price(random) / 2, 'gt'),
  (random) => between('between # and ## euros', price(random)),
  (random) => between('between €# and €##', price(random)),
  (random) => between('#-## €', price(random)),
  (random) => between('from # to ## euros', price(random)),
  (random) => between('price between # and ##', price(random)),
]

const others: readonly Make[] = [
  (random) =>
    value(
      'brand',
      pick(
        random,
        brands.filter((one) => !['Orange', '3K'].includes(one)),
      ),
      '@ #',
    ),
  (random) => value('brand', pick(random, ['Northwind', 'Zephyr', 'Aurora']).toUpperCase(), '@ #', true),
  (random) => value('brand', pick(random, ['Northwind', 'Kestrel & Sons', "Miller's"]), '@ by #'),
  () => value('brand', 'Orange', 'brand Orange @'),
  () => ({ before: 'Northwind or Zephyr', ...is('brand', ['Northwind', 'Zephyr']) }),
  () => ({ behind: 'not from Aurora', condition: { field: 'brand', not: ['Aurora'] } }),
  () => ({ behind: 'except Zephyr', condition: { field: 'brand', not: ['Zephyr'] } }),
  (random) => value('color', pick(random, ['red', 'blue', 'green', 'black', 'dark blue']), '# @'),
  (random) => value('color', pick(random, ['red', 'blue', 'green', 'black']), '@ in #'),
  () => ({ behind: 'color orange', ...is('color', ['orange']) }),
  (random) => value('audience', pick(random, audiences), '@ for #'),
  (random) => value('audience', pick(random, audiences), '# @'),
  (random) => value('size', pick(random, sizes), '@ size #'),
  (random) => weightWords('lighter than # kg', 'lt', random),
  (random) => weightWords('under # kg', 'lt', random),
  (random) => weightWords('at most # kilos', 'lte', random),
  (random) => {
    const grams = 500 * (1 + random.integer(6))
    return { behind: `under ${grams} g`, condition: { field: 'weight', lt: grams / 1000 } }
  },
  () => ({ behind: 'rated 4 stars or more', condition: { field: 'rating', gte: 4 } }),
  () => ({ behind: 'with at least 3.5 stars', condition: { field: 'rating', gte: 3.5 } }),
  () => ({ behind: 'rating above 4', condition: { field: 'rating', gt: 4 } }),
  () => ({ behind: '4+ stars', condition: { field: 'rating', gte: 4 } }),
  (random) => times(`since #`, year(random), (one) => ({ gte: jan(one) })),
  (random) => times(`released after #`, year(random), (one) => ({ gte: jan(one + 1) })),
  (random) => times(`before #`, year(random) + 2, (one) => ({ lt: jan(one) })),
  (random) => times(`from #`, year(random), (one) => ({ gte: jan(one) })),
  (random) => times(`# or newer`, year(random), (one) => ({ gte: jan(one) })),
  (random) => times(`released in #`, year(random), (one) => ({ gte: jan(one), lt: jan(one + 1) })),
  (random) => times(`newer than #`, year(random), (one) => ({ gte: jan(one + 1) })),
  (random) => times(`no older than #`, year(random), (one) => ({ gte: jan(one) })),
  (random) => times(`since march #`, year(random), (one) => ({ gte: `${one}-03-01` })),
  (random) =>
    times(`released between # and ${2024}`, year(random), (one) => ({ gte: jan(one), lt: jan(2025) })),
  () => ({ before: 'waterproof', condition: exact('waterproof', true) }),
  () => ({ behind: 'that is water-resistant', condition: exact('waterproof', true) }),
  () => ({ behind: 'not waterproof', condition: { field: 'waterproof', not: [true] } }),
]

/** Of laptops alone. */
const memories: readonly Make[] = [
  () => ({ behind: 'with 16 GB', condition: exact('memory', 16) }),
  () => ({ behind: '32gb ram', condition: exact('memory', 32) }),
  () => ({ behind: 'with at least 32 GB of memory', condition: { field: 'memory', gte: 32 } }),
]

/** What looks like a constraint, and is none. */
const traps: readonly Make[] = [
  () => ({ behind: 'with 50 euros off' }),
  () => ({ behind: 'bag for Zephyr' }),
  () => ({ behind: 'like Northwind' }),
  () => ({ behind: 'guarantee of 2 years' }),
  () => ({ behind: 'for kids under 12', condition: exact('audience', 'kids') }),
  () => ({ behind: 'orange' }),
  () => ({ behind: 'over the years' }),
  () => ({ behind: 'under $80' }),
  () => ({ behind: 'model xz2019' }),
  () => ({ behind: 'with over 100 reviews' }),
  () => ({ before: '2 person' }),
  () => ({ behind: 'compatible with Aurora' }),
]

/** 200 queries: half with a price, most others with another constraint, some with two, and every tenth with none. */
export function shopQueries(documents: readonly Document[], seed = 7, count = 200): ShopQuery[] {
  const random = createRandom(seed)
  return Array.from({ length: count }, (_, place) => {
    const category = pick(random, Object.keys(goods))
    const good = pick(random, goods[category]!)
    const quality = pick(random, qualities)
    const kind = place % 10
    const made: Wording[] =
      kind === 9
        ? [pick(random, traps)(random)]
        : kind < 4
          ? [pick(random, prices)(random)]
          : kind < 7
            ? [pick(random, others)(random)]
            : [pick(random, others)(random), pick(random, prices)(random)]
    if (category === 'Laptops' && kind % 3 === 0 && kind !== 9) made.unshift(pick(random, memories)(random))
    const befores = made.flatMap(({ before }) => before ?? [])
    const behinds = made.flatMap(({ behind }) => behind ?? [])
    const text = [...befores, quality, good, ...behinds].join(' ')
    const conditions = made.flatMap(({ condition }) => condition ?? [])
    const isTopic = ({ text }: Document): boolean => text.includes(good) && text.includes(quality)
    const passing = documents.filter(
      (one) => isTopic(one) && conditions.every((condition) => meets(one.metadata as Facts, condition)),
    )
    return { text, conditions, relevant: new Set(passing.map(({ docid }) => docid)) }
  })
}

/** Whether the facts of a document meet a condition: the test's own reading of what conditions mean. */
export function meets(facts: Facts, { field, is, not, gt, gte, lt, lte }: Condition): boolean {
  const fact = facts[field]
  if (not?.includes(fact!)) return false
  if (is !== undefined && !is.includes(fact!)) return false
  if ([gt, gte, lt, lte].every((bound) => bound === undefined)) return true
  return (
    fact !== undefined &&
    (gt === undefined || fact > gt) &&
    (gte === undefined || fact >= gte) &&
    (lt === undefined || fact < lt) &&
    (lte === undefined || fact <= lte)
  )
}

const pick = <Thing>(random: Random, all: readonly Thing[]): Thing => all[random.integer(all.length)]!

const below = (words: string, bound: number, part: 'lt' | 'lte', more = 0): Wording => ({
  behind: words.replace('#', String(bound)),
  condition: { field: 'price', [part]: bound + more },
})
const above = (words: string, bound: number, part: 'gt' | 'gte'): Wording => ({
  behind: words.replace('#', String(bound)),
  condition: { field: 'price', [part]: bound },
})
const between = (words: string, low: number): Wording => ({
  behind: words.replace('##', String(low + 100)).replace('#', String(low)),
  condition: { field: 'price', gte: low, lte: low + 100 },
})
const is = (field: string, values: readonly string[]): Pick<Wording, 'condition'> => ({
  condition: { field, is: values },
})
/** `@` stands for the thing, `#` for the value. */
function value(field: string, one: string, words: string, isShouted = false): Wording {
  const [before = '', behind = ''] = words.split('@').map((part) => part.replace('#', one).trim())
  const own = isShouted ? one[0] + one.slice(1).toLowerCase() : one
  return { ...(before !== '' && { before }), ...(behind !== '' && { behind }), ...is(field, [own]) }
}
const times = (words: string, one: number, bounds: (year: number) => Omit<Condition, 'field'>): Wording => ({
  behind: words.replace('#', String(one)),
  condition: { field: 'released', ...bounds(one) },
})
function weightWords(words: string, part: 'lt' | 'lte', random: Random): Wording {
  const bound = 2 + random.integer(4)
  return { behind: words.replace('#', String(bound)), condition: { field: 'weight', [part]: bound } }
}

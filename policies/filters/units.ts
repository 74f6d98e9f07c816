/** Units of numbers: currencies, which are never converted, and measures, which are. */

export interface Unit {
  /** Units of the same dimension can be converted to each other. */
  readonly dimension: string
  readonly factor: number
}

/** What a sign or a word may mean. */
const currencies: Readonly<Record<string, readonly string[]>> = {
  EUR: ['€', 'eur', 'euro', 'euros'],
  USD: ['$', 'usd', 'dollar', 'dollars', 'bucks'],
  CAD: ['$', 'cad', 'dollar', 'dollars'],
  AUD: ['$', 'aud', 'dollar', 'dollars'],
  NZD: ['$', 'nzd', 'dollar', 'dollars'],
  GBP: ['£', 'gbp', 'pound', 'pounds', 'quid'],
  CHF: ['chf', 'franc', 'francs'],
  JPY: ['¥', 'jpy', 'yen'],
  CNY: ['¥', 'cny', 'yuan', 'rmb'],
  INR: ['₹', 'inr', 'rupee', 'rupees'],
}

const measures: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  mass: {
    'mg milligram milligrams': 1e-6,
    'g gram grams': 1e-3,
    'kg kilo kilos kilogram kilograms': 1,
    'oz ounce ounces': 0.028349523125,
    'lb lbs pound pounds': 0.45359237,
  },
  length: {
    'mm millimeter millimeters': 1e-3,
    'cm centimeter centimeters': 1e-2,
    'm meter meters metre metres': 1,
    'km kilometer kilometers': 1e3,
    'in inch inches " ” ″': 0.0254,
    'ft foot feet': 0.3048,
  },
  volume: {
    'ml milliliter milliliters': 1e-3,
    'cl centiliter centiliters': 1e-2,
    'l liter liters litre litres': 1,
  },
  data: { 'mb megabyte megabytes': 1e-3, 'gb gigabyte gigabytes': 1, 'tb terabyte terabytes': 1e3 },
  power: { 'w watt watts': 1, 'kw kilowatt kilowatts': 1e3 },
  charge: { mah: 1, ah: 1e3 },
  duration: { 'min minute minutes': 1 / 60, 'h hr hrs hour hours': 1, 'day days': 24 },
}

/** "in" is an inch only behind a number that a field in inches is about; before a year it is a preposition. */
const unitsByWord = new Map<string, Unit[]>()
const add = (word: string, unit: Unit): void =>
  void unitsByWord.set(word, [...(unitsByWord.get(word) ?? []), unit])
for (const [code, words] of Object.entries(currencies))
  for (const word of words) add(word, { dimension: code, factor: 1 })
for (const [dimension, units] of Object.entries(measures))
  for (const [words, factor] of Object.entries(units))
    for (const word of words.split(' ')) add(word, { dimension, factor })

/** What a normalized word or sign may mean as a unit. */
export const unitsOf = (word: string): readonly Unit[] => unitsByWord.get(word) ?? []

export const isCurrency = ({ dimension }: Unit): boolean => Object.hasOwn(currencies, dimension)

/** The unit of a field, by its code or its usual short form. A word that is no known unit is one of its own: "stars". */
export function fieldUnit(name: string): Unit {
  if (Object.hasOwn(currencies, name.toUpperCase())) return { dimension: name.toUpperCase(), factor: 1 }
  const word = name.toLowerCase()
  const known = unitsOf(word)
  if (known.length === 1) return known[0]!
  return known.find((unit) => !isCurrency(unit)) ?? { dimension: `"${word.replace(/s$/, '')}"`, factor: 1 }
}

/** What a word means as a unit of a field: also a unit of the operator's own, in the singular or the plural. */
export const meansUnit = (word: string, unit: Unit): Unit | undefined =>
  unitsOf(word).find(({ dimension }) => dimension === unit.dimension) ??
  (unit.dimension === `"${word}"` || unit.dimension === `"${word.replace(/s$/, '')}"` ? unit : undefined)

/** The number in a field's unit, rid of the last digits that multiplying leaves. */
export const converted = (value: number, from: Unit, to: Unit): number =>
  from.factor === to.factor ? value : Number(((value * from.factor) / to.factor).toPrecision(12))

/** Kinds of settings. Each parses the text of a flag or the JSON of the file, and names what is wrong. */
import { z } from 'zod'
import type { Rule } from '../../../adapters/apps/drop-in/run/settings.ts'
import { isOrigin, mustBeOrigins } from '../../../adapters/apps/http/guard.ts'
import { serverUrl } from '../../../adapters/models/server-url.ts'
import { type FilterFields, filterFieldsSchema } from '../../../policies/filters/fields.ts'
import { pricesSchema } from '../../prices.ts'
import { parseDuration } from '../output/duration.ts'

export const text = z.string('must be text').min(1, 'must not be empty')

export const yesOrNo = z.boolean('must be true or false')

/** One of these words. */
export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, `must be one of ${words.join(', ')}`)

/** The name of an index on a cluster. Both engines refuse others, in words that do not say what is allowed. */
export const indexName = text.refine(
  (name) =>
    name === name.toLowerCase() &&
    !/[\s\\/*?"<>|,#:]/.test(name) &&
    !/^[-_+.]/.test(name) &&
    Buffer.byteLength(name) <= 255,
  'must be a name that clusters accept: lower case, at most 255 bytes, no spaces and none of \\ / * ? " < > | , # :, ' +
    'not starting with - _ + or .',
)

/** What nobody should guess. */
export const secret = z.string('must be text').min(16, 'must have 16 characters or more')

/** A flag is text. In the file, a number may be a number. */
export const number = z.preprocess((value) => {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value
}, z.number('must be a number'))

/** A number, or a fraction such as 5/3. */
export const fraction = z.preprocess(
  (value) => {
    const [, top, bottom] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(String(value)) ?? []
    return top === undefined ? value : Number(top) / Number(bottom)
  },
  number.pipe(z.number('must be a number or a fraction such as 5/3')),
)

export const count = number.pipe(z.int('must be a whole number').min(1, 'must be 1 or more'))

export const countOrZero = number.pipe(z.int('must be a whole number').min(0, 'must be 0 or more'))

export const within = (least: number, most: number) =>
  number.pipe(z.number().min(least, `must be ${least} or more`).max(most, `must be ${most} or less`))

export const duration = z
  .union([z.string(), z.number()], 'must be a duration')
  .transform((value, context) => {
    const ms = parseDuration(value)
    if (ms !== undefined) return ms
    context.addIssue('must be a duration: milliseconds such as 3000, or 500ms, 5s, 2m')
    return z.NEVER
  })

/** A date, with or without a time, in milliseconds since 1970. Without a time zone, a date is in UTC. */
export const moment = z.string('must be a date').transform((value, context) => {
  const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(ms)) return ms
  context.addIssue('must be a date such as 2026-01-31 or 2026-01-31T12:00:00Z')
  return z.NEVER
})

const limits = z.strictObject({
  asks: count.exactOptional(),
  tokens: count.exactOptional(),
  usd: number.pipe(z.number().positive()).exactOptional(),
  rounds: count.exactOptional(),
  ms: count.exactOptional(),
})

/** `asks=6,rounds=2,ms=20000`, in the file also `{ "asks": 6 }`. */
export const limitsOfSearch = z.unknown().transform((value, context) => {
  const pairs = typeof value === 'string' ? splitNames(value).map((part) => part.split('=')) : undefined
  const names = pairs?.map(([name]) => name)
  const isOnce = names === undefined || new Set(names).size === names.length
  const parsed = limits.safeParse(pairs === undefined ? value : Object.fromEntries(pairs))
  if (isOnce && pairs?.every((pair) => pair.length === 2) !== false && parsed.success) return parsed.data
  context.addIssue(
    'must be limits such as asks=6,rounds=2,ms=20000,tokens=9000 (whole numbers from 1) or usd=0.01',
  )
  return z.NEVER
})

/** `my-model=0.25/2,other=1/4`, in the file also `{ "my-model": { "prompt": 0.25, "completion": 2 } }`. */
export const pricesOfModels = z.unknown().transform((value, context) => {
  const parsed = pricesSchema.safeParse(typeof value === 'string' ? typedPrices(value) : value)
  if (parsed.success) return parsed.data
  context.addIssue('must be dollars for a million tokens of prompts and completions, such as my-model=0.25/2')
  return z.NEVER
})

/** `price=EUR,brand`, a `.json` file, or in the file also `{ "price": "EUR", "brand": "keyword" }`. */
export const fieldsOfFilters = z.unknown().transform((value, context): string | FilterFields => {
  if (typeof value === 'string' && value.endsWith('.json')) return value
  const parts =
    typeof value === 'string' ? splitNames(value).map((part) => /^([^=]+)(?:=(.+))?$/.exec(part)) : []
  const given =
    typeof value === 'string'
      ? Object.fromEntries(parts.flatMap((part) => (part === null ? [] : [[part[1], part[2] ?? 'keyword']])))
      : value
  const isOnce = parts.every((part) => part !== null) && Object.keys(Object(given)).length >= parts.length
  if (isOnce && filterFieldsSchema.safeParse(given).success) return given as FilterFields
  context.addIssue(
    'must be fields such as brand,price=EUR,weight=kg,released=date,waterproof=flag, or the name of a .json file',
  )
  return z.NEVER
})

/** A `.json` file, or in the file also the list itself. What is in the list is checked where it is used. */
export const rulesByIndex = z.union(
  [z.string().regex(/\.json$/), z.array(z.custom<Rule>((value) => typeof value === 'object'))],
  'must be the name of a .json file',
)

function typedPrices(value: string): unknown {
  const parts = splitNames(value).map((part) => /^(.+)=([\d.]+)\/([\d.]+)$/.exec(part))
  if (parts.includes(null)) return undefined
  const prices = parts.map((part) => [part![1], { prompt: Number(part![2]), completion: Number(part![3]) }])
  return new Set(prices.map(([name]) => name)).size === prices.length ? Object.fromEntries(prices) : undefined
}

/** `a,b`, in the file also `["a", "b"]`. */
export const names = z
  .union([z.string(), z.array(z.string())], 'must be names')
  .transform((value, context) => {
    const list = splitNames(value)
    if (list.length > 0 && list.every((name) => name !== '')) return list
    context.addIssue('must be names separated by commas')
    return z.NEVER
  })

/** Origins of web pages, or `*`. */
export const origins = names.refine((all) => all.every(isOrigin), mustBeOrigins)

/** The address of a chat server or a re-ranker. Its key is a variable of the environment. */
export const serverAddress = text.refine(
  (address) => serverUrl.safeParse(address).success,
  'must be an http(s) URL without credentials, such as http://localhost:8000/v1',
)

/** Where a cache keeps its entries. */
export const cachePlace = text.refine(
  (place) => place === 'memory' || (/^(redis|valkey)s?:/.test(place) && URL.canParse(place)),
  'must be memory, or a URL such as redis://127.0.0.1:6379',
)

/** A flag that may be repeated, each time with a list: `--retrievers bm25 --retrievers bm25,dense`. */
export const lists = z
  .union([z.string(), z.array(z.string())], 'must be names')
  .transform((value, context) => {
    const all = [value].flat().map((list) => [...new Set(splitNames(list))])
    if (all.length > 0 && all.flat().every((name) => name !== '')) return all
    context.addIssue('must be names separated by commas')
    return z.NEVER
  })

/** The same as one list without duplicates. */
export const list = lists.transform((all) => [...new Set(all.flat())])

/** One or more paths: the flag may be repeated. */
export const paths = z.union([text, z.array(text)], 'must be a path').transform((value) => [value].flat())

/** One path. Rejects a repeated flag. */
export const onePath = paths.transform((all, context) => {
  if (all.length === 1) return all[0]!
  context.addIssue(`must be one path, not ${all.length}`)
  return z.NEVER
})

/** 0 is any free port. */
export const port = countOrZero.pipe(z.int().max(65_535, 'must be 65535 or less'))

export const weights = z
  .union([z.string(), z.array(z.number())], 'must be numbers')
  .transform((value, context) => {
    const list =
      typeof value === 'string' ? splitNames(value).map((part) => (part === '' ? NaN : Number(part))) : value
    if (list.length > 0 && list.every(Number.isFinite)) return list
    context.addIssue('must be numbers separated by commas')
    return z.NEVER
  })

function splitNames(value: string | readonly string[]): string[] {
  return [value].flat().flatMap((part) => part.split(',').map((name) => name.trim()))
}

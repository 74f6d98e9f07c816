/** Kinds of settings. Each parses the text of a flag or the JSON of the file, and names what is wrong. */
import { z } from 'zod'
import type { Rule } from '../../../adapters/apps/drop-in/run/settings.ts'
import { isOrigin, mustBeOrigins } from '../../../adapters/apps/http/guard.ts'
import { serverUrl } from '../../../adapters/models/server-url.ts'
import { type FilterFields, filterFieldsSchema } from '../../../policies/filters/fields.ts'
import { type RecencyOptions, recencySchema } from '../../last-steps.ts'
import { pricesSchema } from '../../prices.ts'
import { parseDuration } from '../output/words.ts'

/** What `parse` makes of a value. Where it makes nothing, the value `must be` something else. */
const read = <Input extends z.ZodType, Value>(
  input: Input,
  parse: (value: z.output<Input>) => Value | undefined,
  must: string,
) =>
  input.transform((value, context) => {
    const parsed = parse(value)
    if (parsed !== undefined) return parsed
    context.addIssue(`must be ${must}`)
    return z.NEVER
  })

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
export const number = z.preprocess(
  (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
  z.number('must be a number'),
)

/** A number, or a fraction such as 5/3. */
export const fraction = z.preprocess(
  (value) => {
    const [, top, bottom] = /^(\d+(?:\.\d+)?)\/(\d+(?:\.\d+)?)$/.exec(String(value)) ?? []
    return top === undefined ? value : Number(top) / Number(bottom)
  },
  number.pipe(z.number('must be a number or a fraction such as 5/3')),
)

const whole = (least: number) =>
  number.pipe(z.int('must be a whole number').min(least, `must be ${least} or more`))

export const count = whole(1)
export const countOrZero = whole(0)

export const within = (least: number, most: number) =>
  number.pipe(z.number().min(least, `must be ${least} or more`).max(most, `must be ${most} or less`))

/** `20%`, or a number from 0 to 1. */
export const share = read(
  z.union([z.string(), z.number()], 'must be a share'),
  (value) => {
    const [, number, sign] = /^(\d+(?:\.\d+)?) *(%)?$/.exec(String(value).trim()) ?? []
    const part = Number(number) / (sign === undefined ? 1 : 100)
    return part <= 1 ? part : undefined
  },
  'a share such as 20% or 0.2',
)

export const duration = read(
  z.union([z.string(), z.number()], 'must be a duration'),
  parseDuration,
  'a duration: milliseconds such as 3000, or 500ms, 5s, 2m',
)

/** A date, with or without a time, in milliseconds since 1970. Without a time zone, a date is in UTC. */
export const moment = read(
  z.string('must be a date'),
  (value) => {
    const ms = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN
    return Number.isNaN(ms) ? undefined : ms
  },
  'a date such as 2026-01-31 or 2026-01-31T12:00:00Z',
)

/** `a,b`, in the file also `["a", "b"]`. */
const splitNames = (value: string | readonly string[]): string[] =>
  [value].flat().flatMap((part) => part.split(',').map((name) => name.trim()))

/** The object that a text of parts such as `a=1,b=2` means; other values as they are. `undefined` for a part that is wrong or comes twice. */
function typedObject(
  value: unknown,
  pattern: RegExp,
  made: (...groups: readonly (string | undefined)[]) => unknown,
): unknown {
  if (typeof value !== 'string') return value
  const parts = splitNames(value).map((part) => pattern.exec(part))
  const entries = parts.flatMap((part) => (part === null ? [] : [[part[1], made(...part.slice(2))]]))
  const object: object = Object.fromEntries(entries)
  return Object.keys(object).length === parts.length ? object : undefined
}

/** `ndcg@10=0.42`, several times or with commas; in the file also `{ "ndcg@10": 0.42 }`. */
export const floors = read(
  z.unknown(),
  (value) => {
    const typed = Array.isArray(value) ? value.join(',') : value
    return z.record(text, number).safeParse(typedObject(typed, /^([^=]+)=([^=]+)$/, (least) => least)).data
  },
  'metrics with their lowest values, such as ndcg@10=0.42',
)

const limits = z.strictObject({
  asks: count.exactOptional(),
  tokens: count.exactOptional(),
  usd: number.pipe(z.number().positive()).exactOptional(),
  rounds: count.exactOptional(),
  ms: count.exactOptional(),
})

/** `asks=6,rounds=2,ms=20000`, in the file also `{ "asks": 6 }`. */
export const limitsOfSearch = read(
  z.unknown(),
  (value) => limits.safeParse(typedObject(value, /^([^=]+)=([^=]*)$/, (limit) => limit)).data,
  'limits such as asks=6,rounds=2,ms=20000,tokens=9000 (whole numbers from 1) or usd=0.01',
)

const priceOf = (prompt?: string, completion?: string) => ({
  prompt: Number(prompt),
  completion: Number(completion),
})

/** `my-model=0.25/2,other=1/4`, in the file also `{ "my-model": { "prompt": 0.25, "completion": 2 } }`. */
export const pricesOfModels = read(
  z.unknown(),
  (value) => pricesSchema.safeParse(typedObject(value, /^(.+)=([\d.]+)\/([\d.]+)$/, priceOf)).data,
  'dollars for a million tokens of prompts and completions, such as my-model=0.25/2',
)

/** `price=EUR,brand`, a `.json` file, or in the file also `{ "price": "EUR", "brand": "keyword" }`. */
export const fieldsOfFilters = read(
  z.unknown(),
  (value): string | FilterFields | undefined => {
    if (typeof value === 'string' && value.endsWith('.json')) return value
    const given = typedObject(value, /^([^=]+)(?:=(.+))?$/, (kind = 'keyword') => kind)
    return filterFieldsSchema.safeParse(given).success ? (given as FilterFields) : undefined
  },
  'fields such as brand,price=EUR,weight=kg,released=date,waterproof=flag, or the name of a .json file',
)

/** `updated=30`, or `updated=30,always`: a field, days, and whether always. */
export const recencyOf = read(
  z.unknown(),
  (value): RecencyOptions | undefined => {
    const [, field, days, always] = /^([^=,]+)=([\d.]+)(,always)?$/.exec(String(value)) ?? []
    const when = always === undefined ? 'asked' : 'always'
    return recencySchema.safeParse(field ? { field, halfLife: Number(days), when } : value).data
  },
  'a field with a date and days, such as updated=30 or updated=30,always',
)

/** A `.json` file, or in the file also the list itself. What is in the list is checked where it is used. */
export const rulesByIndex = z.union(
  [z.string().regex(/\.json$/), z.array(z.custom<Rule>((value) => typeof value === 'object'))],
  'must be the name of a .json file',
)

const oneOrSeveral = z.union([z.string(), z.array(z.string())], 'must be names')
const separated = 'names separated by commas'
const unlessEmpty = <Value>(all: readonly Value[], named: readonly string[]): Value[] | undefined =>
  all.length > 0 && named.every((name) => name !== '') ? [...all] : undefined

export const names = read(
  oneOrSeveral,
  (value) => unlessEmpty(splitNames(value), splitNames(value)),
  separated,
)

/** `true`, or the fields whose filters may be left out: `brand,year`. */
export const relaxing = z
  .union([z.boolean(), names], 'must be true, false or fields whose filters may be left out')
  .transform((value) => (typeof value === 'boolean' ? value : { droppable: value }))

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
export const lists = read(
  oneOrSeveral,
  (value) => {
    const all = [value].flat().map((list) => [...new Set(splitNames(list))])
    return unlessEmpty(all, all.flat())
  },
  separated,
)

/** The same as one list without duplicates. */
export const list = lists.transform((all) => [...new Set(all.flat())])

/** One or more paths: the flag may be repeated. */
export const paths = z.union([text, z.array(text)], 'must be a path').transform((value) => [value].flat())

/** One path. Rejects a repeated flag. */
export const onePath = paths.transform((all, context) => {
  if (all.length !== 1) context.addIssue(`must be one path, not ${all.length}`)
  return all[0]!
})

/** 0 is any free port. */
export const port = countOrZero.pipe(z.int().max(65_535, 'must be 65535 or less'))

export const weights = read(
  z.union([z.string(), z.array(z.number())], 'must be numbers'),
  (value) => {
    const all =
      typeof value === 'string'
        ? splitNames(value).map((part) => (part === '' ? Number.NaN : Number(part)))
        : value
    return all.length > 0 && all.every(Number.isFinite) ? all : undefined
  },
  'numbers separated by commas',
)

/** The prompt by which a chat model reads filters. It chooses by number: no text of a model gets into a filter. */
import { z } from 'zod'
import { jsonIn, unfenced } from '../../src/completion/lines.ts'
import { QuerentError } from '../../src/errors.ts'
import type { Prompt } from '../../src/prompt.ts'
import { oneLine } from '../../src/text/one-line.ts'
import type { Condition } from '../../src/types.ts'
import { asking } from '../reading/agent-prompt.ts'
import { type Amount, amountAt } from './amounts.ts'
import type { Field, FilterOperator } from './fields.ts'
import type { Known, KnownValue } from './known.ts'
import type { WordedFilter } from './read-filters.ts'
import { tokensOf } from './tokens.ts'
import { converted, meansUnit } from './units.ts'

export interface FilterInput {
  /** The query's words. */
  readonly text: string
  readonly known: Known
}

/** Values of a field that a model is shown: all, or as many of those that share a word with the query. */
const maxShown = 50

/** Operators as a model writes them, with what the operator must have allowed. */
const operators: Readonly<Record<string, FilterOperator>> = {
  is: 'is',
  not: 'not',
  under: 'below',
  'at most': 'below',
  over: 'above',
  'at least': 'above',
}
const signs = { under: 'lt', 'at most': 'lte', over: 'gt', 'at least': 'gte' } as const

const number = z.int().positive()
const answer = z.strictObject({
  filters: z
    .array(
      z.strictObject({
        field: number,
        operator: z.enum(Object.keys(operators) as [string, ...string[]]),
        value: number.optional(),
        amount: number.optional(),
        words: z.string().min(1),
      }),
    )
    .max(8),
})

const instructions = `You find the filters in a shop or library query. Choose only among the numbered fields, values and amounts below.
Answer with one JSON object and nothing else: {"filters": [{"field": 1, "operator": "at most", "amount": 1, "words": "for 50 euros"}]}
- "operator" is one that the field has.
- A field with values takes "value", the number of a value. Other fields take "amount", the number of an amount in the query. A field of yes or no takes neither.
- "words" are the words of the query that say it, copied exactly.
- What is no filter, or not clear, is left out: {"filters": []} is a good answer.`

export const filterPrompt: Prompt<FilterInput, WordedFilter[]> = {
  name: 'filters',
  temperature: 0,
  maxTokens: 400,

  render({ text, known }) {
    const amounts = amountsIn(text, known)
    const fields = known.fields.map((field, place) => {
      const names = Object.keys(operators).filter((name) => allows(field, name))
      const unit = field.type === 'number' && field.unit !== undefined ? ` in ${field.unit}` : ''
      const values = valuesShown(field, text, known).map(({ value }, at) => `${at + 1}. ${oneLine(value)}`)
      const of = field.type === 'flag' ? 'yes or no' : field.type
      return [
        `${place + 1}. ${field.name} (${of}${unit}; operators: ${names.join(', ')})`,
        ...(values.length === 0 ? [] : [`   values: ${values.join('; ')}`]),
      ].join('\n')
    })
    const shown = amounts.map(
      ({ value, unit }, at) => `${at + 1}. ${value}${unit === undefined ? '' : ` ${unit}`}`,
    )
    return asking(
      [instructions],
      `Fields:\n${fields.join('\n')}`,
      `Amounts in the query: ${shown.length === 0 ? 'none' : shown.join('; ')}`,
      `Query: ${oneLine(text)}`,
    )
  },

  parse(output, { text, known }) {
    const isMeant = (object: unknown): boolean => answer.safeParse(object).success
    const [found] = jsonIn(unfenced(output), isMeant)
    const parsed = answer.safeParse(found)
    if (!parsed.success) throw refused('it is not the JSON object that was asked for')
    const amounts = amountsIn(text, known)
    return parsed.data.filters.map(({ field: place, operator, value, amount, words }) => {
      const field = known.fields[place - 1]
      if (field === undefined) throw refused(`there is no field ${place}`)
      if (!allows(field, operator)) throw refused(`${field.name} has no operator "${operator}"`)
      const start = text.toLowerCase().indexOf(words.toLowerCase())
      if (start === -1) throw refused(`the query does not have the words ${JSON.stringify(words)}`)
      const end = start + words.length
      const condition = conditionOf(field, operator, chosenValue(field), chosenAmount(field))
      return { condition, words: text.slice(start, end), spans: [[start, end]] }

      function chosenValue(field: Field): string | true | undefined {
        if (field.type === 'flag') return true
        if (field.type !== 'keyword') return undefined
        const found = value === undefined ? undefined : valuesShown(field, text, known)[value - 1]
        if (found === undefined || amount !== undefined)
          throw refused(`${field.name} needs the number of a value`)
        return found.value
      }
      function chosenAmount(field: Field): number | undefined {
        if (field.type === 'keyword' || field.type === 'flag') return undefined
        const found = amount === undefined ? undefined : amounts[amount - 1]
        const own = found && value === undefined ? inUnit(found, field) : undefined
        if (own === undefined) throw refused(`${field.name} needs the number of an amount in its unit`)
        return own
      }
    })
  },
}

const allows = (field: Field, name: string): boolean => {
  const allowed: readonly string[] = field.operators
  return allowed.includes(operators[name]!)
}

function conditionOf(
  field: Field,
  operator: string,
  value: string | true | undefined,
  amount: number | undefined,
): Condition {
  const { name, type } = field
  const chosen = value ?? amount!
  if (operator === 'not') return { field: name, not: [chosen] }
  if (type !== 'date')
    return operator === 'is'
      ? { field: name, is: [chosen] }
      : { field: name, [signs[operator as keyof typeof signs]]: chosen }
  const [first, next] = [`${amount}-01-01`, `${amount! + 1}-01-01`]
  const dates = {
    is: { gte: first, lt: next },
    under: { lt: first },
    'at most': { lt: next },
    over: { gte: next },
    'at least': { gte: first },
  }
  return { field: name, ...dates[operator as keyof typeof dates] }
}

/** The amount in the field's unit; undefined if it has another one. Times are years. */
function inUnit({ value, unit }: Amount, { type, measure }: Field): number | undefined {
  if (type === 'date' || type === 'year')
    return unit === undefined && Number.isInteger(value) && value >= 1000 && value <= 2999 ? value : undefined
  if (unit === undefined) return value
  const own = measure && meansUnit(unit, measure)
  return own && converted(value, own, measure)
}

function amountsIn(text: string, { fields }: Known): Amount[] {
  const tokens = tokensOf(text)
  const found: Amount[] = []
  for (let place = 0; place < tokens.length; ) {
    const amount = amountAt(tokens, place, fields)
    if (amount !== undefined) found.push(amount)
    place = amount?.to ?? place + 1
  }
  return found
}

/** The values of a field that the prompt shows, each once. */
function valuesShown(field: Field, text: string, { valuesByWord }: Known): KnownValue[] {
  const own = new Map<string, KnownValue>()
  const words = new Set(tokensOf(text).map(({ norm }) => norm))
  const all = [...valuesByWord.values()].flat().filter((one) => one.field === field)
  const shared = all.filter(({ norms }) => norms.some((norm) => words.has(norm)))
  for (const one of [...shared, ...all]) if (!own.has(one.value)) own.set(one.value, one)
  return own.size <= maxShown ? [...own.values()] : shared.slice(0, maxShown)
}

const refused = (why: string): QuerentError => new QuerentError('bad-completion', `The filters: ${why}`)

/** What the documents of several retrievers have in fields. */
import type { FieldValue, FieldValues, Retriever, ValuesWanted } from './types.ts'

/** Values of a field that are kept. */
const maxValues = 10_000

/**
 * What the retrievers that apply conditions know of these fields, together. Retrievers that cannot tell are left out.
 *
 * @throws a retriever's own error
 */
export async function valuesIn(
  retrievers: readonly Retriever[],
  wanted: readonly ValuesWanted[],
  filter: unknown,
  signal: AbortSignal,
): Promise<FieldValues[]> {
  const knowing = retrievers.filter(({ narrows, values }) => narrows === true && values !== undefined)
  const options = { signal, ...(filter !== undefined && { filter }) }
  const answers = await Promise.all(knowing.map((retriever) => retriever.values!(wanted, options)))
  return wanted.map((_, place) => remembered(answers.flatMap((answer) => answer[place] ?? [])))
}

/**
 * First part → the parts that it was joined with last, and the result. The same parts give the same object, because readers
 * remember by object what they made of it.
 */
const results = new WeakMap<
  FieldValues,
  { readonly others: readonly FieldValues[]; readonly result: FieldValues }
>()

function remembered(all: readonly FieldValues[]): FieldValues {
  const [first, ...others] = all
  if (first === undefined || others.length === 0) return first ?? {}
  const known = results.get(first)
  if (known?.others.length === others.length && others.every((one, at) => one === known.others[at]))
    return known.result
  const result = joined(all)
  results.set(first, { others, result })
  return result
}

function joined(all: readonly FieldValues[]): FieldValues {
  const values = new Set<FieldValue>()
  for (const one of all) for (const value of one.values ?? []) if (values.size < maxValues) values.add(value)
  const bounds = all.flatMap(({ min, max }) => (min === undefined || max === undefined ? [] : [{ min, max }]))
  const least = bounds.reduce<string | number | undefined>(
    (least, { min }) => (least === undefined || min < least ? min : least),
    undefined,
  )
  const greatest = bounds.reduce<string | number | undefined>(
    (most, { max }) => (most === undefined || max > most ? max : most),
    undefined,
  )
  return {
    ...(values.size > 0 && { values: [...values] }),
    ...(least !== undefined && greatest !== undefined && { min: least, max: greatest }),
  }
}

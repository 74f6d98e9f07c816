/** Options that hold for some indices only. */
import { z } from 'zod'
import { QuerentError } from '../../../../src/errors.ts'
import { matches } from '../parse/json.ts'

/** To which searches a rule applies. */
export interface RuleScope {
  /** The name of an index, an alias or a data stream, as searches write it, or a pattern with `*`; or several of them. */
  readonly index: string | readonly string[]
  /** `false`: a search with one of these names passes through. Default: true. */
  readonly optimize?: boolean | undefined
}

/** The options that may differ from index to index. */
export const ruleOptions = [
  ...(['policy', 'rerank', 'engineWeight', 'filters', 'texts', 'window', 'explain'] as const),
  ...(['relax', 'recency'] as const),
]

export const rulesSchema = z.array(
  z.looseObject({
    index: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]),
    optimize: z.boolean().optional(),
  }),
)

/** A rule with its settings. Undefined: its searches pass through. */
export interface ReadRule<Settings> {
  readonly patterns: readonly string[]
  readonly settings: Settings | undefined
}

/**
 * Checks the rules now. Returns a function that loads their policies.
 *
 * @param open the same for options
 * @throws QuerentError `bad-config` that names the wrong option
 */
export function openRules<Options extends object, Settings>(
  rules: readonly RuleScope[],
  options: Options,
  where: string,
  open: (options: Options, where: string) => () => Promise<Settings>,
): () => Promise<readonly ReadRule<Settings>[]> {
  const known: readonly string[] = ruleOptions
  const opened = rules.map(({ index, optimize = true, ...own }, place) => {
    const at = `${where}: rules.${place}`
    const wrong = Object.keys(own).find((name) => !known.includes(name))
    if (wrong !== undefined)
      throw new QuerentError('bad-config', `${at}: ${wrong} is no option of a rule`, {
        remedy: `There are index, optimize, ${known.join(', ')}.`,
      })
    return { patterns: [index].flat(), load: optimize ? open({ ...options, ...own }, at) : undefined }
  })
  return () => Promise.all(opened.map(async ({ patterns, load }) => ({ patterns, settings: await load?.() })))
}

/**
 * The settings for a search of this index: those of the first rule that applies. A rule applies if all names of the search fit; one
 * that lets searches pass through, if any name does. Undefined: the search passes through.
 *
 * @param index comma-separated; undefined for all indices
 */
export function settingsFor<Settings>(
  base: Settings & { readonly rules: readonly ReadRule<Settings>[] },
  index = '*',
): Settings | undefined {
  const names = index.split(',')
  const rule = base.rules.find(({ patterns, settings }) => {
    const fits = (name: string): boolean => patterns.some((pattern) => matches(pattern, name))
    return settings === undefined ? names.some(fits) : names.every(fits)
  })
  return rule === undefined ? base : rule.settings
}

/** Says which settings do nothing, since nothing that was chosen reads them. */
import { type NamedPolicy, ownSettings, type PolicySettings } from '../../../policies/by-name.ts'
import { say, type Terminal } from '../output/terminal.ts'
import type { OutsideName } from '../settings/setting-names.ts'
import { typedAs } from '../settings/table.ts'
import type { Variant } from '../settings/variants.ts'

/** The settings of re-rankers from outside, and those that read them. */
const readBy = {
  rerankUrl: ['http', 'llm'],
  rerankModel: ['http', 'onnx', 'llm'],
  rerankTimeout: ['http', 'onnx', 'llm'],
} as const satisfies Record<string, readonly OutsideName[]>

export type EffectSettings = PolicySettings & { readonly [Name in keyof typeof readBy]?: unknown }

/** One of all that the command searches with. */
export interface Chosen {
  readonly decider: Pick<NamedPolicy, 'name' | 'takes'>
  readonly rerank: Variant['rerank']
}

export function sayWithoutEffect(
  settings: EffectSettings,
  chosen: readonly Chosen[],
  terminal: Terminal,
): void {
  const names = [...new Set(chosen.map(({ decider }) => decider.name))].join(', ')
  for (const own of ownSettings)
    if (!chosen.some(({ decider }) => decider.takes.includes(own)))
      sayIgnored(settings, [own], `with ${names}`, terminal)
  for (const [name, rerankers] of Object.entries(readBy))
    if (!chosen.some(({ rerank }) => rerankers.some((one) => one === rerank)))
      sayIgnored(settings, [name], `without --rerank ${rerankers.join(' or ')}`, terminal)
}

/** Names those of the settings that were given. @param why they have no effect: "with …" */
export function sayIgnored(
  settings: object,
  names: readonly string[],
  why: string,
  terminal: Terminal,
): void {
  const given = names.filter((name) => (settings as Readonly<Record<string, unknown>>)[name] !== undefined)
  if (given.length > 0)
    say(terminal, `${given.map(typedAs).join(', ')} ${given.length === 1 ? 'has' : 'have'} no effect ${why}.`)
}

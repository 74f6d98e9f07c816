/** The settings of `querent export` that the chosen format does not read. */
import { sft } from '../../training/export/formats.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { isFiltered } from './export-answers.ts'
import { isWorkbench } from './export-workbench.ts'

const filters = ['tauMax', 'tauMin', 'keepHardest'] as const
const ofAnswers = ['traces', 'threshold'] as const
const ofRollouts = ['agents', 'maxPaths', 'forced', 'balanced', 'margin'] as const
const ofExamples = ['template', 'golds'] as const

/** What each export of rollouts reads. */
const readOfRollouts: Readonly<Record<string, readonly string[]>> = {
  sft: ['agents', 'threshold', 'maxPaths', 'forced'],
  preferences: ['agents', 'margin'],
  steps: ['agents', 'balanced'],
}

/** @returns the settings that would do nothing, and why: "with …" */
export function withoutEffect(settings: SettingsOf<'export'>): { names: readonly string[]; why: string } {
  const { to, rollouts } = settings
  if (to === undefined) return { names: [], why: '' }
  if (rollouts !== undefined) {
    const read = readOfRollouts[to] ?? []
    const names = [...ofRollouts, ...ofAnswers, ...ofExamples, 'split'].filter((name) => !read.includes(name))
    return { names, why: `with --rollouts and --to ${to}` }
  }
  const why = `with --to ${to}`
  if (isWorkbench(to)) return { names: [...ofRollouts, ...ofAnswers, ...ofExamples, ...filters], why }
  if (to === sft) return { names: ofRollouts, why: `${why}, without --rollouts` }
  if (isFiltered(settings)) return { names: [...ofRollouts, 'threshold'], why }
  return { names: [...ofRollouts, ...ofAnswers], why: `${why}, without a filter` }
}

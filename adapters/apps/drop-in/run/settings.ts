/** The settings of an application's searches: its options are checked at once, and what they choose is loaded when it is needed. */
import { isModule, isPolicyFile } from '../../../../policies/by-name.ts'
import { type AppOptions, type CheckedOptions, checkOptions } from './options.ts'
import type { SearchSettings } from './prepare-settings.ts'
import { openRules } from './rules.ts'

export type { AppOptions, Rule } from './options.ts'
export type { SearchSettings } from './prepare-settings.ts'

/**
 * Checks the options now. Returns a function that loads the policy, and checks its file.
 *
 * @throws QuerentError `bad-config` that names the wrong option; `missing-file` or `bad-policy` for a policy file that cannot be read, was cut or was edited
 */
export function appSettings(options: AppOptions, where: string): () => Promise<SearchSettings> {
  const checked = checkOptions(options, where)
  const openedRules = openRules(checked.rules, { ...options, ...ofAll }, where, appSettings)
  loadAhead(checked)
  return async () => {
    const { prepareSettings } = await import('./prepare-settings.ts')
    return prepareSettings(checked, await openedRules())
  }
}

/** What holds for all indices. */
const ofAll = { rules: [], share: undefined, shadow: undefined, isOff: undefined }

/** Reads the modules of what was chosen while the application starts, so that its first search need not wait for them. */
function loadAhead({ policy }: CheckedOptions): void {
  const isLocal =
    typeof policy === 'string' && (policy === 'local' || (isPolicyFile(policy) && !isModule(policy)))
  const modules = [
    import('./prepare-settings.ts'),
    ...(isLocal ? [import('../../../../policies/local/local-policy.ts')] : []),
  ]
  // Whoever needs a module imports it again, and learns what is wrong with it.
  for (const module of modules) module.catch(() => {})
}

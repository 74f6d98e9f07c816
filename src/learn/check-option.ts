import { QuerentError } from '../errors.ts'

/**
 * Refuses an option that does not fit.
 *
 * @param wanted what the option must be, to end the sentence "… is 3, and not …"
 * @throws QuerentError `bad-config` that names the option
 */
export function checkOption(name: string, value: number, fits: boolean, wanted: string): void {
  if (!fits) throw new QuerentError('bad-config', `${name} is ${value}, and not ${wanted}`)
}

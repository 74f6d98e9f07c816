import { QuerentError } from '../errors.ts'

/**
 * Checks an option.
 *
 * @param expected completes the message "epochs is 0, but must be …"
 * @throws QuerentError `bad-config` that names the option
 */
export function checkOption(name: string, value: number, isValid: boolean, expected: string): void {
  if (!isValid) throw new QuerentError('bad-config', `${name} is ${value}, but must be ${expected}`)
}

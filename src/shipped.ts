/** Which policies and re-rankers come with the package, whatever names others have. */
import type { Policy } from './policy.ts'

/** What is made by spreading such a part has it, too. All copies of the package share it. */
const mark: unique symbol = Symbol.for('querent.shipped')

/** The part, which `isShipped` recognizes from now on. */
export const shipped = <Part extends object>(part: Part): Part => ({ ...part, [mark]: true })

export const isShipped = (part: object): boolean => mark in part

/** Whether it is that policy of the package, and none of somebody else's with the same name. */
export const isPolicyNamed = (name: 'local' | 'none', policy: Policy): boolean =>
  isShipped(policy) && policy.name === name

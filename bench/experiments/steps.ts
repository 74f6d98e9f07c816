/** How far an experiment is, where its steps take about as long as each other. */

/** What begins, in words, and how far the experiment is before it, from 0 to 1. */
export type OnStep = (what: string, share: number) => void

/** @returns to be called at the beginning of each of so many steps */
export function countSteps(steps: number, onStep: OnStep | undefined): (what: string) => void {
  let begun = 0
  return (what) => onStep?.(what, begun++ / steps)
}

import { checkOption } from '../../learn/check-option.ts'

/**
 * DAPO's soft overlong punishment (Yu et al., "DAPO: an open-source LLM reinforcement learning system at scale", 2025, eq. 13),
 * to be added to the reward of an answer: 0 up to `longest` − `buffer` tokens, then down in a straight line to −1 at `longest`,
 * −1 beyond, times `factor`.
 *
 * @param length of the answer, in tokens
 * @param options `longest` and `buffer`, in tokens, and `factor`, from 0. ACQO's `longest` is 256
 * @example overlongPenalty(224, { longest: 256, buffer: 64 }) // -0.5
 * @throws QuerentError `bad-config` for a `buffer` that is not above 0 and at most `longest`, or a negative `factor`
 */
export function overlongPenalty(
  length: number,
  {
    longest,
    buffer,
    factor = 1,
  }: { readonly longest: number; readonly buffer: number; readonly factor?: number },
): number {
  checkOption('buffer', buffer, buffer > 0 && buffer <= longest, 'above 0 and at most `longest`')
  checkOption('factor', factor, factor >= 0, 'from 0')
  const over = length - (longest - buffer)
  return over <= 0 ? 0 : -factor * Math.min(1, over / buffer)
}

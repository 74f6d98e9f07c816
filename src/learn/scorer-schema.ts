/** The schema of a scorer in a file: all numbers are finite, and each list has one number per input. */
import { z } from 'zod'
import type { Scorer } from './scorer.ts'

const numbers = z.array(z.number())

export const scorerSchema: z.ZodType<Scorer> = z
  .strictObject({
    inputs: z.array(z.string().min(1)).min(1),
    mean: numbers,
    deviation: z.array(z.number().positive()),
    skip: numbers,
    hidden: z.array(z.strictObject({ bias: z.number(), weights: numbers, out: z.number() })),
  })
  .superRefine(({ inputs, mean, deviation, skip, hidden }, context) => {
    const report = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: 'custom', path, message })
    if (new Set(inputs).size < inputs.length) report(['inputs'], 'a name occurs twice')
    const check = (path: (string | number)[], values: readonly number[]): void => {
      if (values.length !== inputs.length)
        report(path, `${values.length} numbers for ${inputs.length} inputs`)
    }
    check(['mean'], mean)
    check(['deviation'], deviation)
    check(['skip'], skip)
    for (const [unit, { weights }] of hidden.entries()) check(['hidden', unit, 'weights'], weights)
  })

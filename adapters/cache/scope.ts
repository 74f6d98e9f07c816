import { z } from 'zod'
import { canHold } from './key.ts'

/** Who may share an entry. What a key cannot hold is refused: two callers could look like one. */
export const scope: z.ZodType<readonly unknown[]> = z
  .array(z.unknown())
  .refine(canHold, 'expected JSON, without functions, symbols, or objects such as a Map or Headers')

export const scopeSchema: z.ZodType<{ readonly scope: readonly unknown[] }> = z.strictObject({ scope })

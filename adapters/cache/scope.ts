import { z } from 'zod'

/** Who may share an entry. What JSON cannot write is refused: in a key, it could look like something else. */
export const scopeSchema: z.ZodType<{ readonly scope: readonly unknown[] }> = z.strictObject({
  scope: z.array(z.json()),
})

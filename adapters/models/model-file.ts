import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { unusable } from './reason.ts'

/** The modules of Sentence Transformers. Each has a folder in that of the model. */
export const modulesFile = z.array(
  z.object({
    type: z.string(),
    path: z
      .string()
      .regex(/^(?!\.)[\w.-]*$/, 'must be the name of a folder')
      .default(''),
  }),
)

type Module = z.infer<typeof modulesFile>[number]

/** The name of its class. */
export const typeOf = ({ type }: Module): string => type.split('.').at(-1)!

/** What stands behind pooling. Vectors are scaled to length 1 in any case, so not what does it at the end. */
export const layersOf = (modules: readonly Module[]): readonly Module[] =>
  modules.filter(
    (module, place) =>
      ['Dense', 'LayerNorm'].includes(typeOf(module)) ||
      (typeOf(module) === 'Normalize' && place < modules.length - 1),
  )

/** Reads a file in JSON of a model's folder. @throws QuerentError `bad-file` if it cannot be read, or says something else */
export async function readModelFile<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    throw unusable(`${path} cannot be used`, cause)
  }
}

/** The JSON Schema of `querent.json`, for editors: every setting of every command, with its help. */
import { z } from 'zod'
import { engineDefinitions } from './engine-definition.ts'
import { type CommandSettings, settingsIn } from './setting.ts'

type Schema = Readonly<Record<string, unknown>>

/** What a file may contain, before it is parsed. */
function schemaOf(type: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' })
  return schema
}

/** @param commands of whose settings a file may contain any */
export function configSchema(commands: readonly CommandSettings[]): Schema {
  const kinds = new Map<string, Map<string, Schema>>()
  const add = (key: string, schema: Schema, description?: string): void => {
    const known = kinds.get(key) ?? new Map<string, Schema>()
    const id = JSON.stringify(schema)
    if (!known.has(id)) known.set(id, description === undefined ? schema : { description, ...schema })
    kinds.set(key, known)
  }
  add('$schema', { type: 'string' }, 'the address of this schema, for your editor')
  for (const { groups } of commands)
    for (const [key, { schema, description, negation }] of Object.entries(settingsIn(groups)))
      add(key, schemaOf(schema), description ?? negation)
  add('retrievers', schemaOf(engineDefinitions), 'clusters by name, for `engine:NAME`')
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'querent.json',
    description: 'Settings of the command line, shared by all commands. Flags win.',
    type: 'object',
    properties: Object.fromEntries(Array.from(kinds, ([key, some]) => [key, oneOf([...some.values()])])),
    additionalProperties: false,
  }
}

/** Commands may read a setting in different ways. */
const oneOf = (schemas: readonly Schema[]): Schema =>
  schemas.length === 1 ? schemas[0]! : { anyOf: schemas }

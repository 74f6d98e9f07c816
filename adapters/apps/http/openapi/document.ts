/** OpenAPI 3.1 documents whose schemas are made from the zod schemas that check requests. */
import { z } from 'zod'

/** An OpenAPI 3.1 document: plain JSON. */
export interface OpenApi {
  readonly openapi: string
  readonly info: object
  /** Path → method → operation. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  /** Status → answer. */
  readonly responses: Readonly<Record<string, object>>
}

export interface OpenApiParts extends Pick<OpenApi, 'paths'> {
  readonly title: string
  readonly version: string
  readonly description: string
  /** Names and schemas of bodies of requests, as clients write them. */
  readonly requests: Readonly<Record<string, z.ZodType>>
  /** Names and schemas of bodies of answers. */
  readonly answers: Readonly<Record<string, z.ZodType>>
}

/** The path at which a server serves its own document. */
export const openApiPath = '/openapi.json'

export function openApi({ title, version, description, paths, requests, answers }: OpenApiParts): OpenApi {
  const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' }
  return {
    openapi: '3.1.1',
    info: { title, version, description, license },
    paths,
    components: { schemas: { ...schemasOf(requests, 'input'), ...schemasOf(answers, 'output') } },
  }
}

/** `input`: as a client writes it, before defaults and transformations. */
function schemasOf(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Readonly<Record<string, object>> {
  const named = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(schemas)) named.add(schema, { id })
  const made = z.toJSONSchema(named, { io, uri: (id) => ref(id).$ref })
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  )
}

/** A schema of the document by its name. */
export const ref = (name: string): { readonly $ref: string } => ({ $ref: `#/components/schemas/${name}` })

/** The parameters of the URL that a schema of an object checks. */
export function urlParameters(schema: z.ZodType): readonly object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([name, property]) => {
    const { description = '', ...one } = property as { readonly description?: string }
    return { name, in: 'query', required: required.includes(name), description, schema: one }
  })
}

/** A body in JSON that a request must have. */
export const jsonBody = (schema: object): object => ({
  required: true,
  content: { 'application/json': { schema } },
})

/** An answer with a body. */
export const answered = (description: string, schema: object, type = 'application/json'): object => ({
  description,
  content: { [type]: { schema } },
})

/** What can be read at a path. */
export const get = (operationId: string, summary: string, responses: Operation['responses']) => ({
  get: { operationId, summary, responses },
})

/** The operations that read the document itself. */
export const openApiOperations = (responses: Operation['responses'] = {}) =>
  get('openapi', 'This document.', {
    200: answered('An OpenAPI 3.1 document.', { type: 'object' }),
    ...responses,
  })

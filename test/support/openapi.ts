/** OpenAPI documents, by which answers of servers are checked. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { OpenApi, Operation } from '../../adapters/apps/http/openapi/document.ts'

interface DescribedAnswer {
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
}

/** Checks the document by OpenAPI's own schema, and returns what checks answers by it. */
export async function describedBy(document: OpenApi) {
  const { valid, errors } = await new Validator().validate(structuredClone(document) as never)
  expect(errors ?? []).toEqual([])
  expect(valid).toBe(true)
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'api', components: document.components })
  const known = new Map<string, ValidateFunction>()
  const validatorOf = (schema: object): ValidateFunction => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"api#/components')
    const validate = known.get(text) ?? ajv.compile(JSON.parse(text))
    known.set(text, validate)
    return validate
  }
  /** `POST /search 200` of each answer that was checked. */
  const seen = new Set<string>()

  const expectFit = (schema: object, value: unknown): void => {
    const validate = validatorOf(schema)
    expect([validate(value), validate.errors ?? [], value]).toEqual([true, [], value])
  }

  /** The answer to a request of an operation is one that the document describes. Returns its body. */
  async function check(method: string, path: string, response: Response): Promise<unknown> {
    const operation: Operation | undefined = document.paths[path]?.[method.toLowerCase()]
    const described = operation?.responses[response.status] as DescribedAnswer | undefined
    expect(described, `${method} ${path} ${response.status}`).toBeDefined()
    seen.add(`${method} ${path} ${response.status}`)
    for (const [name, { required = false }] of Object.entries(described!.headers ?? {}))
      if (required) expect(response.headers.get(name), name).not.toBeNull()
    const text = await response.text()
    if (described!.content === undefined) return expect(text).toBe('')
    const type = response.headers.get('content-type')!.split(';', 1)[0]!
    const content = described!.content[type]
    expect(content, type).toBeDefined()
    if (type === 'application/x-ndjson') {
      const { contentSchema } = content!.schema as { readonly contentSchema: object }
      const lines = text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
      for (const line of lines) expectFit(contentSchema, line)
      return lines
    }
    const body: unknown = type.endsWith('json') ? JSON.parse(text) : text
    expectFit(content!.schema, body)
    return body
  }

  /** The answers of this status class that the document has and no check has seen. */
  const unseen = (isWanted: (status: number) => boolean): string[] =>
    Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        Object.keys(responses)
          .map((status) => `${method.toUpperCase()} ${path} ${status}`)
          .filter((answer) => isWanted(Number(answer.split(' ')[2])) && !seen.has(answer)),
      ),
    )

  return { check, unseen, expectFit }
}

// @ts-check
/** An OpenAPI document as a page of Markdown: its endpoints with what they take and answer, and its schemas. */

/**
 * @typedef {object} Schema
 * @property {string} [$ref]
 * @property {string | readonly string[]} [type]
 * @property {string} [description]
 * @property {readonly unknown[]} [enum]
 * @property {unknown} [const]
 * @property {unknown} [default]
 * @property {Schema} [items]
 * @property {readonly Schema[]} [anyOf]
 * @property {readonly Schema[]} [oneOf]
 * @property {readonly Schema[]} [allOf]
 * @property {Readonly<Record<string, Schema>>} [properties]
 * @property {readonly string[]} [required]
 * @property {Schema | boolean} [additionalProperties]
 */

/** @typedef {Readonly<Record<string, { readonly schema: Schema }>>} Content */

/**
 * @typedef {object} Operation
 * @property {string} summary
 * @property {string} [description]
 * @property {readonly { name: string, in: string, required?: boolean, description?: string, schema: Schema }[]} [parameters]
 * @property {{ description?: string, required?: boolean, content: Content }} [requestBody]
 * @property {Readonly<Record<string, { description: string, content?: Content }>>} responses
 */

/**
 * @typedef {object} Api
 * @property {{ title: string, description: string }} info
 * @property {Readonly<Record<string, Readonly<Record<string, Operation>>>>} paths
 * @property {{ schemas?: Readonly<Record<string, Schema>> }} [components]
 */

/**
 * @param {Api} api
 * @param {string} file its address on the site
 */
export function openapiPage({ info, paths, components = {} }, file) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      operationOf(`${method.toUpperCase()} ${path}`, operation),
    ),
  )
  const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => schemaOf(name, schema))
  // A link to a file that is no page, which the browser must open by itself.
  const download = `<a href="${file}" target="_self" download>The OpenAPI document</a>`
  return [`# ${info.title}: HTTP`, info.description, download, ...operations, '## Schemas', ...schemas, '']
    .filter((part) => part !== undefined)
    .join('\n\n')
}

/** @param {string} title @param {Operation} operation */
function operationOf(title, { summary, description, parameters = [], requestBody, responses }) {
  const parts = [`## ${title}`, summary, ...(description === undefined ? [] : [description])]
  if (parameters.length > 0)
    parts.push(
      table(
        ['parameter', 'in', 'type', 'meaning'],
        parameters.map((one) => [named(one.name, one.required), one.in, typeOf(one.schema), meaningOf(one)]),
      ),
    )
  if (requestBody !== undefined)
    parts.push(`**Body** ${requestBody.description ?? ''}`, bodies(requestBody.content))
  parts.push(
    table(
      ['status', 'body', 'meaning'],
      Object.entries(responses).map(([status, { description, content }]) => [
        status,
        content === undefined ? '' : Object.entries(content).map(mediaOf).join('<br>'),
        description,
      ]),
    ),
  )
  return parts.join('\n\n')
}

/** @param {Content} content */
const bodies = (content) =>
  Object.entries(content)
    .map(([media, { schema }]) => `\`${media}\`: ${typeOf(schema)}\n\n${rowsOf(schema)}`)
    .join('\n\n')

/** @param {[string, { readonly schema: Schema }]} media */
const mediaOf = ([media, { schema }]) => `${typeOf(schema)} <small>${media}</small>`

/** @param {string} name @param {Schema} schema */
const schemaOf = (name, schema) =>
  [`### ${name}`, schema.description ?? '', rowsOf(schema) || typeOf(schema)].join('\n\n')

/** The table of the properties of an object, and of the objects in it; empty for others. @param {Schema} schema */
function rowsOf(schema) {
  const rows = propertiesOf(schema, '')
  return rows.length === 0 ? '' : table(['property', 'type', 'meaning'], rows)
}

/**
 * @param {Schema} schema
 * @param {string} prefix the path to it
 * @returns {string[][]}
 */
function propertiesOf(schema, prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = prefix + name
    const inner = property.items === undefined ? property : property.items
    return [
      [named(path, schema.required?.includes(name)), typeOf(property), meaningOf(property)],
      ...propertiesOf(inner, `${path}${property.items === undefined ? '.' : '[].'}`),
    ]
  })
}

/** @param {string} name @param {boolean} [required] */
const named = (name, required = false) => `\`${name}\`${required ? '' : ' <small>optional</small>'}`

/** @param {{ description?: string, schema?: Schema, default?: unknown }} of */
const meaningOf = ({ description = '', schema, default: given = schema?.default }) =>
  given === undefined ? description : `${description} Default: \`${JSON.stringify(given)}\`.`

/**
 * @param {Schema} schema
 * @returns {string}
 */
function typeOf(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `[${name}](#${name.toLowerCase()})`
  }
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ')
  if (schema.allOf !== undefined) return schema.allOf.map(typeOf).join(' and ')
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ')
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`
  return [schema.type ?? 'anything'].flat().join(' or ')
}

/** @param {readonly string[]} heads @param {readonly (readonly string[])[]} rows */
const table = (heads, rows) =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')

/** YAML as the suite's own runner reads it: with less indentation than the standard asks for, and with exact numbers. */
import { LosslessNumber } from 'lossless-json'
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseAllDocuments } from 'yaml'

/** Lines of one text that are put right before it is given up. */
const maxRepairs = 200

/** The documents of a text. Numbers are lossless ones: many are above 2^53. @throws what the parser says */
export function readYaml(text: string): unknown[] {
  let lines = text.split('\n')
  for (let repairs = 0; ; repairs++) {
    const documents = [parseAllDocuments(lines.join('\n'), { uniqueKeys: false, intAsBigInt: true })].flat()
    const [error] = documents.flatMap((document) => document.errors)
    if (error === undefined) return documents.map((document) => plain(document.contents, document))
    const place = (error.linePos?.[0].line ?? 0) - 1
    if (repairs === maxRepairs || place < 0) throw error
    if (error.code === 'BAD_INDENT') lines = lines.with(place, `${' '.repeat(40)}${lines[place]}`)
    else if (error.code === 'MISSING_CHAR') {
      // A quoted text that goes on in the next line.
      lines = lines.toSpliced(place, 2, `${lines[place]} ${lines[place + 1]?.trim()}`)
    } else throw error
  }
}

function plain(node: unknown, document: Document): unknown {
  if (isAlias(node)) return plain(node.resolve(document), document)
  if (isMap(node))
    return Object.fromEntries(node.items.map(({ key, value }) => [keyOf(key), plain(value, document)]))
  if (isSeq(node)) return node.items.map((item) => plain(item, document))
  if (!isScalar(node)) return null
  const { value, source = '' } = node
  if (typeof value === 'bigint') return new LosslessNumber(String(value))
  if (typeof value === 'number') return Number.isFinite(value) ? new LosslessNumber(decimal(source)) : source
  return value
}

const keyOf = (key: unknown): string =>
  isScalar(key) ? (key.source ?? String(key.value)) : String(key as Node)

/** JSON asks for digits on both sides of the point. */
const decimal = (source: string): string =>
  source
    .replace(/^\+/, '')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?!\d)/, '.0')
